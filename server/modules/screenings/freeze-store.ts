import type { BusinessTime } from '../../base/time.ts';
import { type RowOf, sql, statement, type Transaction } from '../../database/index.ts';
import { freezeDue } from './adjudicate.ts';
import { hitDecision } from './decision-store.ts';

const columns = hitDecision.select('listId', 'status', 'state', 'createdAt');

const findEffective = statement<{ tenantId: string; screeningId: string; hitId: string }, RowOf<typeof columns>>(
  'hitDecision.effective',
  (p) => sql`
  SELECT ${columns} FROM hit_decision
  WHERE ${hitDecision.equal({
    tenantId: p.tenantId,
    screeningId: p.screeningId,
    hitId: p.hitId,
    state: 'effective',
  })} ORDER BY sequence DESC LIMIT 1`,
);

/** Returns when assets must be frozen because of a confirmed hit; null if its list does not demand it. */
export async function freezeDueOfHit(
  tx: Transaction,
  hit: { readonly screeningId: string; readonly hitId: string },
): Promise<BusinessTime | null> {
  const [decision] = await tx.run(findEffective, {
    tenantId: tx.tenantId!,
    screeningId: hit.screeningId,
    hitId: hit.hitId,
  });
  return decision === undefined ? null : freezeDue(decision);
}
