/**
 * What the audit log records of a new version of a list. Used by imports and rollbacks and, through the index, by
 * uploads. Events go to the platform's own chain, because no tenant owns the lists.
 */
import { appendAudit } from '../../audit/chain.ts';
import type { Transaction } from '../../database/index.ts';
import type { Candidate, ImportOrder } from './import-order.ts';
import type { ListVersion } from './store.ts';

/** Returns the facts about a new active version for the audit log. */
export function factsOf({
  version,
  sha256,
  entryCount,
  added,
  changed,
  matchChanged,
  removed,
  quarantinedNames,
}: ListVersion | Candidate): Readonly<Record<string, string | number>> {
  return {
    version,
    sha256,
    entryCount,
    added,
    changed,
    matchChanged,
    removed,
    ...(quarantinedNames > 0 && { quarantinedNames }),
  };
}

/** Records a version in the platform's own audit chain, because the platform owns the lists. */
export function recordVersion(
  tx: Transaction,
  { environment, listId, by, now }: Pick<ImportOrder, 'environment' | 'listId' | 'by' | 'now'>,
  facts: Readonly<Record<string, string | number>>,
): void {
  appendAudit(tx, {
    occurredAt: now.toISOString(),
    environment,
    actor: { ...by, impersonatorId: null },
    action: 'list.version_ingested',
    resource: { type: 'screening_list', id: listId },
    outcome: 'success',
    changes: Object.entries(facts).map(([name, value]) => ({ op: 'add', path: `/${name}`, value })),
  });
}
