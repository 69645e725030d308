/**
 * Makes an earlier version of a list active again, as a new version. Exported by the index for commands, and used by
 * the shipped lists. Returns null for an unknown version; takes the lock of imports.
 */
import type { RealTime } from '../../base/time.ts';
import type { components } from '../../contract/generated/types.ts';
import { lockUntilCommit } from '../../database/advisory-lock.ts';
import type { Database } from '../../database/index.ts';
import { PLATFORM_TENANT_ID } from '../../database/roles.ts';
import { contentHash, matchHash } from '../../screening/hashes.ts';
import { recordVersion } from './list-events.ts';
import { type Delta, deltaOf, VersionWriter } from './entity-store.ts';
import { activeVersion, addVersion, type ListKey, type ListVersion, versionOf } from './store.ts';

interface RollBackOrder extends ListKey {
  readonly version: string;
  readonly by: components['schemas']['Actor'];
  readonly now: RealTime;
}

/**
 * Makes an earlier version active again, as the next one in the sequence, so that the versions in between stay known.
 * Returns null if there is no such version.
 */
export function rollBack(
  database: Database,
  { version, by, now, ...list }: RollBackOrder,
): Promise<ListVersion | null> {
  return database.platform({ tenantId: PLATFORM_TENANT_ID }, async (tx) => {
    await lockUntilCommit(tx, 'watch list', `${list.environment} ${list.listId}`);
    const [active, restored] = [await activeVersion(tx, list), await versionOf(tx, list, version)];
    if (active === null || restored === null) return null;
    if (active.sequence === restored.sequence || active.restores === restored.sequence) return active;
    const sequence = active.sequence + 1;
    const count = {
      added: 0,
      changed: 0,
      matchChanged: 0,
      removed: 0,
    };
    const writer = new VersionWriter(tx, list, sequence);
    for await (const { key, before: restoredEntity, after: activeEntity, isMatchRelevant } of deltaOf(
      tx,
      list,
      active.sequence,
      restored.sequence,
    )) {
      count[kindOf({ before: restoredEntity, after: activeEntity })]++;
      if (restoredEntity !== null && activeEntity !== null && isMatchRelevant) count.matchChanged++;
      if (activeEntity !== null) await writer.end(key);
      if (restoredEntity !== null)
        await writer.begin({
          key,
          content: contentHash(restoredEntity),
          match: matchHash(restoredEntity),
          document: JSON.stringify(restoredEntity),
        });
    }
    await writer.flush();
    const { format, publishedOn, sha256, sizeBytes, entryCount, quarantinedNames, quarantine } = restored;
    await addVersion(tx, {
      ...list,
      sequence,
      version,
      restores: restored.sequence,
      format,
      publishedOn,
      sha256,
      sizeBytes,
      entryCount,
      quarantinedNames,
      quarantine,
      ...count,
      ingestedAt: now,
      checkedAt: now,
      ingestedBy: by,
    });
    if (list.environment === 'live')
      recordVersion(tx, { ...list, by, now }, { version, restores: restored.sequence, ...count });
    return (await activeVersion(tx, list)) as ListVersion;
  });
}

/** Returns what going back does to an entity: `before` is its restored state, `after` the active one. */
function kindOf({ before, after }: Pick<Delta, 'before' | 'after'>): 'added' | 'removed' | 'changed' {
  if (after === null) return 'added';
  return before === null ? 'removed' : 'changed';
}
