import type { Readable } from 'node:stream';

/** Names a stored file: the owner's id, a slash, 32 hexadecimal digits. Made by the storage, never by a client. */
export type FileKey = string;

/** Files of one owner, a tenant. */
export interface StoredFiles {
  readonly owner: string;
  readonly keys: readonly FileKey[];
}

/**
 * Keeps the bytes of uploaded files. The order with the database is: `put` first, then the row that names the key
 * commits; so a committed row always has its file. A file whose row was rolled back is an orphan, which
 * `sweepOrphans` removes once it is old enough.
 */
export interface FileStorage {
  /** Resolves when the bytes survive a crash. Rejects with `StorageUnavailable`, and leaves nothing, when they cannot be kept. */
  put(owner: string, bytes: Uint8Array): Promise<FileKey>;
  /** Other bytes in the place of those under a key, all at once: a reader finds the old ones or the new ones. */
  replace(key: FileKey, bytes: Uint8Array): Promise<void>;
  /** A stream of the bytes. Rejects before the first byte: with `FileMissingError` when there are none, with the reason of an aborted signal. */
  open(key: FileKey, signal?: AbortSignal): Promise<Readable>;
  /** Removing what is not there is no error. */
  delete(key: FileKey): Promise<void>;
  /** What was stored before `instant`, in batches. */
  storedBefore(instant: Date): AsyncIterable<StoredFiles>;
  /** Whether another file could be kept now, found out by keeping something. */
  capacity(): Promise<StorageCapacity>;
}

export interface StorageCapacity {
  readonly writable: boolean;
  /** Null where that cannot be told. */
  readonly freeBytes: number | null;
}

export class FileMissingError extends Error {
  override readonly name = 'FileMissingError';

  constructor(key: FileKey) {
    super(`There is no stored file ${key}`);
  }
}

/** The disk is full, over its quota, read-only, broken or gone: the same may succeed later. */
export class StorageUnavailable extends Error {
  override readonly name = 'StorageUnavailable';

  constructor(cause: unknown) {
    super(`The file storage failed: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
  }
}

/** Longer than any transaction: a younger file may still get its row. */
const GRACE_MILLISECONDS = 60 * 60 * 1000;

/** Removes files that no row names: their transaction was rolled back, or their rows were deleted. */
export async function sweepOrphans(
  storage: FileStorage,
  referenced: (files: StoredFiles) => Promise<ReadonlySet<FileKey>>,
  now: Date,
): Promise<number> {
  let removed = 0;
  for await (const files of storage.storedBefore(new Date(now.getTime() - GRACE_MILLISECONDS))) {
    const known = await referenced(files);
    for (const key of files.keys.filter((candidate) => !known.has(candidate))) {
      await storage.delete(key);
      removed += 1;
    }
  }
  return removed;
}
