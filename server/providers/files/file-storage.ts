/**
 * The interface of every file storage, and the sweep of files that no row names. Used by documents and evidence packs.
 * A file is written before its row is committed; the sweep must wait longer than any transaction, or it would delete a
 * file whose row is about to appear.
 */
import type { Readable } from 'node:stream';

/** Name of a stored file: the owner's id, a slash, 32 hexadecimal digits. The storage creates it, never a client. */
export type FileKey = string;

/** Files of one owner (a tenant). */
export interface StoredFiles {
  readonly owner: string;
  readonly keys: readonly FileKey[];
}

/**
 * Stores the bytes of uploaded files. Call `put` first and then commit the row with the key, so that a committed row
 * always has its file. If the row is rolled back, the file is an orphan, which `sweepOrphans` removes once it is old
 * enough.
 */
export interface FileStorage {
  /**
   * Resolves when the bytes survive a crash. Rejects with `StorageUnavailable` and leaves nothing behind if they cannot
   * be stored.
   */
  put(owner: string, bytes: Uint8Array): Promise<FileKey>;
  /** Replaces the bytes of a key atomically: a reader gets either the old ones or the new ones. */
  replace(key: FileKey, bytes: Uint8Array): Promise<void>;
  /**
   * Returns a stream of the bytes. Rejects before the first byte: with `FileMissingError` if there are none, or with
   * the reason of an aborted signal.
   */
  open(key: FileKey, signal?: AbortSignal): Promise<Readable>;
  /** Deletes a file. A missing file is no error. */
  delete(key: FileKey): Promise<void>;
  /** Lists the files stored before `instant`, in batches. */
  storedBefore(instant: Date): AsyncIterable<StoredFiles>;
  /** Returns whether another file could be stored now, tested by storing one. */
  capacity(): Promise<StorageCapacity>;
}

export interface StorageCapacity {
  readonly writable: boolean;
  /** Null if unknown. */
  readonly freeBytes: number | null;
}

export class FileMissingError extends Error {
  override readonly name = 'FileMissingError';

  constructor(key: FileKey) {
    super(`There is no stored file ${key}`);
  }
}

/** The disk is full, over its quota, read-only, broken or missing. A retry may succeed later. */
export class StorageUnavailable extends Error {
  override readonly name = 'StorageUnavailable';

  constructor(cause: unknown) {
    super(`The file storage failed: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
  }
}

/** Longer than any transaction, because a younger file may still get its row. */
const GRACE_MILLISECONDS = 60 * 60 * 1000;

/** Removes files that no row names, because their transaction was rolled back or their rows were deleted. */
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
