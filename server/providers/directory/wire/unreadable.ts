import { DirectoryError } from '../directory.ts';

/** The reason says what is wrong with the form; it never quotes the document. */
export function unreadable(reason: string, cause?: unknown): DirectoryError {
  return new DirectoryError('Unreadable', `The directory's answer cannot be read: ${reason}`, { cause });
}
