/**
 * Converts errors of the importer to problems that name the faulty part of the request. Exported by the index; used by
 * uploads and own lists. Other errors pass through unchanged.
 */
import { Problem } from '../../contract/problem.ts';
import { SourceFileError } from '../../screening/sources/source-file.ts';
import { ListRefused } from './plausibility.ts';

/** Converts an error of the importer to a problem that names the part at fault. */
export function refusalOf(error: unknown): unknown {
  if (error instanceof SourceFileError) {
    return new Problem(error.code === 'not_screenable' ? 'name_not_screenable' : 'list_file_refused', {
      errors: [
        {
          pointer: `/${error.role === 'main' ? 'file' : error.role}`,
          code: error.code,
          message: shortened(error.message),
        },
      ],
    });
  }
  if (!(error instanceof ListRefused)) return error;
  const { reason, message } = error;
  switch (reason) {
    case 'version_exists':
      return new Problem('version_exists', { errors: [{ pointer: '/version', code: reason, message }] });
    case 'published_otherwise':
      return new Problem('list_file_refused', { errors: [{ pointer: '/publishedOn', code: reason, message }] });
    case 'checksum_mismatch':
      return new Problem('checksum_mismatch', { errors: [{ pointer: '/sha256', code: reason, message }] });
    case 'suspicious_shrink':
      return new Problem('suspicious_shrink', { errors: [{ pointer: '/file', code: reason, message }] });
    case 'not_yet_published':
    case 'older_than_active':
    case 'too_few_entries':
      return new Problem('list_file_refused', { errors: [{ pointer: '/file', code: reason, message }] });
  }
}

const LONGEST_MESSAGE = 400;
/** Limits a message, because a library may quote the line that it cannot read. */
const shortened = (message: string): string =>
  message.length <= LONGEST_MESSAGE ? message : `${message.slice(0, LONGEST_MESSAGE - 1)}…`;
