/**
 * Reads uploads (multipart/form-data) within limits. Used by receive.ts. Everything is bounded while it arrives; a part
 * that is not expected, stands twice or is too large ends the request with a problem.
 */
import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import busboy from 'busboy';
import type { UploadedFile } from '../contract/operation-types.ts';
import { Problem } from '../contract/problem.ts';
import { assertLength, bodySizeGuard, ChunkBuffer, ClientGone, type ReserveBytes } from './body.ts';

/** Maximum total size of the files of an upload: 15 MiB. Besides them, an upload has only a few short fields. */
const MAX_FILE_BYTES = 15 * 1024 * 1024;
const MAX_FIELDS = 10;
const MAX_FIELD_BYTES = 4096;
const MAX_FIELD_NAME_BYTES = 100;
const MAX_HEADERS_PER_PART = 16;
/** Maximum size of the body: the files with boundaries, part headers and fields. */
const MAX_BYTES = MAX_FILE_BYTES + 128 * 1024;

/** Message for a text part of this type, which the parser treats as a file whether or not it has a file name. */
const TYPED_TEXT =
  'A text part was sent with the type application/octet-stream, which makes it a file. Leave its `Content-Type` out.';

/** Parts of a multipart body that are files, and whether each is required. */
export type FileParts = ReadonlyMap<string, { readonly required: boolean }>;

interface Multipart {
  readonly fields: Record<string, string>;
  readonly files: Record<string, UploadedFile>;
}

const UNNAMED_FILE =
  'The file was sent without a file name, which makes its part a text: name it in `Content-Disposition`.';

/**
 * Reads multipart/form-data (RFC 7578) with at most one file in each file part. Everything is bounded while it arrives.
 * Refuses a text field under the name of a file, which the schema alone would not notice.
 */
export function readMultipart(request: IncomingMessage, parts: FileParts, reserve: ReserveBytes): Promise<Multipart> {
  assertLength(request, MAX_BYTES, 'file_too_large');
  const { promise, resolve, reject } = Promise.withResolvers<Multipart>();
  const fields: Record<string, string> = Object.create(null) as Record<string, string>;
  const files: Record<string, UploadedFile> = {};
  const seenParts = new Set<string>();
  const parser = parserOf(request, parts);
  const stop = (problem: Error): void => {
    request.unpipe(parser);
    // The rest is read and discarded; if it were left unread, it would precede the next request on the connection.
    request.resume();
    reject(problem);
  };
  parser.on('file', (name, stream, { filename, mimeType }) => {
    if (!parts.has(name) || seenParts.has(name)) {
      stream.resume();
      const unwanted = filename === undefined ? TYPED_TEXT : 'A file stands in a part that takes none.';
      return stop(new Problem('too_many_parts', { detail: parts.has(name) ? 'A file stands twice.' : unwanted }));
    }
    seenParts.add(name);
    const chunks = new ChunkBuffer();
    const digest = createHash('sha256');
    stream.on('data', (chunk: Buffer) => {
      try {
        reserve(chunk.length);
        chunks.add(chunk);
        digest.update(chunk);
      } catch (refusal) {
        stream.removeAllListeners('data').resume();
        stop(refusal as Error);
      }
    });
    stream.on('limit', () => stop(new Problem('file_too_large')));
    stream.on('error', () => stop(new Problem('multipart_malformed')));
    stream.on('end', () => {
      files[name] = {
        name: filename ?? '',
        declaredType: mimeType,
        bytes: chunks.whole(),
        sha256: digest.digest('hex'),
      };
    });
  });
  parser.on('field', (name, value, { nameTruncated, valueTruncated }) => {
    if (parts.has(name)) stop(new Problem('file_part_missing', { detail: UNNAMED_FILE }));
    else if (nameTruncated || valueTruncated)
      stop(new Problem('multipart_malformed', { detail: 'A field is too long.' }));
    else if (Object.hasOwn(fields, name)) stop(new Problem('too_many_parts', { detail: 'A field stands twice.' }));
    else if (name.includes('\0') || value.includes('\0'))
      stop(new Problem('multipart_malformed', { detail: 'A field contains NUL.' }));
    else fields[name] = value;
  });
  for (const event of ['partsLimit', 'filesLimit', 'fieldsLimit'] as const)
    parser.on(event, () => stop(new Problem('too_many_parts')));
  parser.on('error', () => stop(new Problem('multipart_malformed')));
  parser.on('close', () => {
    if ([...parts].some(([name, { required }]) => required && !Object.hasOwn(files, name)))
      reject(new Problem('file_part_missing'));
    else resolve({ fields: { ...fields }, files });
  });
  request.on('close', () => {
    if (!request.complete) stop(new ClientGone());
  });
  const checkSize = bodySizeGuard(MAX_BYTES, 'file_too_large');
  request.on('data', function count(chunk: Buffer) {
    try {
      checkSize(chunk.length);
    } catch (refusal) {
      request.off('data', count);
      stop(refusal as Error);
    }
  });
  request.pipe(parser);
  return promise;
}

function parserOf(request: IncomingMessage, parts: FileParts): busboy.Busboy {
  try {
    return busboy({
      headers: request.headers,
      defParamCharset: 'utf8',
      limits: {
        files: parts.size,
        fileSize: MAX_FILE_BYTES,
        fields: MAX_FIELDS,
        fieldSize: MAX_FIELD_BYTES,
        fieldNameSize: MAX_FIELD_NAME_BYTES,
        parts: MAX_FIELDS + parts.size,
        headerPairs: MAX_HEADERS_PER_PART,
      },
    });
  } catch {
    // The boundary is missing, or RFC 2046 §5.1.1 does not allow it.
    throw new Problem('multipart_malformed');
  }
}
