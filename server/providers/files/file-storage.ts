import type { Readable } from 'node:stream';

/** Name of a stored file, made by the storage: 32 lower-case hexadecimal digits, never anything of the client's. */
export type FileKey = string;

/**
 * Keeps the bytes of uploaded files. The order with the database is: `put` first, then the row that names the key
 * commits; so a committed row always has its file. A file whose row was rolled back is an orphan, which
 * `sweepOrphans` removes once it is old enough.
 */
export interface FileStorage {
  /** Resolves when the bytes survive a crash. */
  put(bytes: Uint8Array): Promise<FileKey>;
  /** A stream of the bytes. Rejects with `FileMissingError` before the first byte when there are none. */
  open(key: FileKey, signal?: AbortSignal): Promise<Readable>;
  /** Removing what is not there is no error. */
  delete(key: FileKey): Promise<void>;
  /** Keys of files that were stored before `instant`, in batches. */
  storedBefore(instant: Date): AsyncIterable<readonly FileKey[]>;
}

export class FileMissingError extends Error {
  override readonly name = 'FileMissingError';

  constructor(key: FileKey) {
    super(`There is no stored file ${key}`);
  }
}
