import type { FileKey, FileStorage, StoredFiles } from './file-storage.ts';

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
