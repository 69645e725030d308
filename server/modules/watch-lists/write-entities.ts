/**
 * Reads a file and writes the entities that differ from the active version. Used by import-list.ts. A key that stands
 * twice with different contents is refused, because the importer cannot know which is right.
 */
import type { Transaction } from '../../database/index.ts';
import { PUBLISHED_BOUNDS } from '../../screening/sources/list-bounds.ts';
import { readList } from '../../screening/sources/reading.ts';
import { type SourceFacts, SourceFileError } from '../../screening/sources/source-file.ts';
import type { Counts, ImportOrder } from './import-order.ts';
import { currentHashes, VersionWriter } from './entity-store.ts';
import { activeVersion } from './store.ts';

/** Called after every ten thousand entities. */
export type Progress = (entities: number) => void;

const LONGEST_SILENCE_MILLISECONDS = 10_000;

/** Reads all entities and writes those that have changed. */
export async function writeEntities(
  tx: Transaction,
  { environment, listId, format, files, bounds = PUBLISHED_BOUNDS, signal }: ImportOrder,
  sequence: number,
  onProgress: Progress,
): Promise<Counts & { facts: SourceFacts }> {
  const list = { environment, listId };
  const before = await currentHashes(tx, list);
  const facts: SourceFacts = {};
  const seen = new Map<string, string>();
  const count = { added: 0, changed: 0, matchChanged: 0 };
  const writer = new VersionWriter(tx, list, sequence);
  let read = 0;
  let queriedAt = performance.now();
  for await (const entities of readList({ format, files, bounds }, facts, signal)) {
    for (const { key, content, match, document } of entities) {
      if (++read % 10_000 === 0) onProgress(read);
      const earlier = seen.get(key);
      // Some publishers repeat an entry. Two different entries with one key are two entities or a mistake, which the
      // importer cannot resolve.
      if (earlier === content) continue;
      if (earlier !== undefined)
        throw new SourceFileError(`the file has ${key} twice, and says something else each time`);
      seen.set(key, content);
      const known = before.get(key);
      if (known?.contentHash === content) continue;
      if (known === undefined) count.added++;
      else {
        await writer.end(key);
        count.changed++;
        if (known.matchHash !== match) count.matchChanged++;
      }
      await writer.begin({
        key,
        content,
        match,
        document,
      });
    }
    // The database ends a transaction that is idle for a minute, and for a long time there may be nothing to write.
    if (performance.now() - queriedAt > LONGEST_SILENCE_MILLISECONDS) {
      await activeVersion(tx, list);
      queriedAt = performance.now();
    }
  }
  const removed = [...before.keys()].filter((key) => !seen.has(key));
  for (const key of removed) await writer.end(key);
  await writer.flush();
  return {
    ...count,
    removed: removed.length,
    entryCount: seen.size,
    facts,
  };
}
