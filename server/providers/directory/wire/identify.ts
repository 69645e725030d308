import { createHash } from 'node:crypto';
import { DirectoryError } from '../directory.ts';

/** Reads an answer; why it cannot be read is told together with which bytes it was. */
export function identify<T>(answer: Buffer, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof DirectoryError)) throw error;
    throw new DirectoryError(error.kind, error.message, { sha256: createHash('sha256').update(answer).digest('hex'), cause: error.cause });
  }
}
