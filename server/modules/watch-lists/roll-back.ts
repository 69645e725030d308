import type { components } from '../../contract/generated/types.ts';
import { lockUntilCommit } from '../../database/advisory-lock.ts';
import type { Database } from '../../database/index.ts';
import { PLATFORM_TENANT_ID } from '../../database/roles.ts';
import { recordVersion } from './import-list.ts';
import { activeVersion, addVersion, deltaOf, type ListKey, type ListVersion, restoreEntities, versionOf } from './store.ts';

interface RollBackOrder extends ListKey {
  readonly version: string;
  readonly by: components['schemas']['Actor'];
  readonly now: Date;
}

/** Makes an earlier version active again, as the next one in the sequence: what was true in between stays known. Null when there is no such version. */
export function rollBack(database: Database, { version, by, now, ...list }: RollBackOrder): Promise<ListVersion | null> {
  return database.platform({ tenantId: PLATFORM_TENANT_ID }, async (tx) => {
    await lockUntilCommit(tx, 'watch list', `${list.environment} ${list.listId}`);
    const [active, restored] = [await activeVersion(tx, list), await versionOf(tx, list, version)];
    if (active === null || restored === null) return null;
    if (active.sequence === restored.sequence || active.restores === restored.sequence) return active;
    const sequence = active.sequence + 1;
    await restoreEntities(tx, list, sequence, restored.sequence);
    const count = { added: 0, changed: 0, matchChanged: 0, removed: 0 };
    for await (const { before, after, isMatchRelevant } of deltaOf(tx, list, sequence)) {
      count[before === null ? 'added' : after === null ? 'removed' : 'changed']++;
      if (before !== null && after !== null && isMatchRelevant) count.matchChanged++;
    }
    const { format, publishedOn, sha256, sizeBytes, entryCount } = restored;
    await addVersion(tx, { ...list, sequence, version, restores: restored.sequence, format, publishedOn, sha256, sizeBytes, entryCount, ...count, ingestedAt: now, checkedAt: now, ingestedBy: by });
    if (list.environment === 'live') recordVersion(tx, { ...list, by, now }, { version, restores: restored.sequence, ...count });
    return await activeVersion(tx, list) as ListVersion;
  });
}
