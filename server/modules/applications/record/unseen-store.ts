/**
 * When a caller who sees persons masked last overwrote an applicant. Written by changes of applications and read,
 * through the index, by modules that must hide how results follow from such data. Without it such a caller could find
 * out masked values by overwriting others.
 */
import type { BusinessTime } from '../../../base/time.ts';
import { sql, statement, type Transaction } from '../../../database/index.ts';
import { application } from './store.ts';

type Key = { tenantId: string; id: string };

const noteUnseen = statement<Key & { at: BusinessTime }>(
  'application.noteUnseen',
  (p) => sql`
  UPDATE application SET ${application.assign({ personUnseenAt: p.at })}
    WHERE ${application.equal({ tenantId: p.tenantId, id: p.id })}`,
);

const findUnseen = statement<Key, { personUnseenAt: string | null }>(
  'application.findUnseen',
  (p) => sql`
  SELECT ${application.select('personUnseenAt')} FROM application
    WHERE ${application.equal({ tenantId: p.tenantId, id: p.id })}`,
);

/**
 * Notes that a caller who sees persons masked has overwritten the applicant. The caller of this function must hold the
 * lock on the application.
 */
export function noteUnseenChange(tx: Transaction, id: string, at: BusinessTime): void {
  void tx.run(noteUnseen, { tenantId: tx.tenantId!, id, at });
}

/** Returns when a caller who sees persons masked last overwrote the applicant; null if this never happened. */
export async function lastUnseenChange(tx: Transaction, id: string): Promise<string | null> {
  return (await tx.run(findUnseen, { tenantId: tx.tenantId!, id }))[0]?.personUnseenAt ?? null;
}
