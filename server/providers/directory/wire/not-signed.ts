import { DirectoryError } from '../directory.ts';

/** The reason never quotes the document, which nobody vouches for. */
export function notSigned(reason: string, cause?: unknown): DirectoryError {
  return new DirectoryError('SignatureInvalid', `The directory's answer is not believed: ${reason}`, { cause });
}
