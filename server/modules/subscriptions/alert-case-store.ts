import { type RowOf, sql, statement, type Transaction } from '../../database/index.ts';
import { alert } from './alert-store.ts';

const setCase = statement<{ tenantId: string; id: string; caseId: string }>(
  'alert.setCase',
  (p) => sql`
  UPDATE monitoring_alert SET ${alert.assign({ caseId: p.caseId })}
  WHERE ${alert.equal({ tenantId: p.tenantId, id: p.id })}`,
  { expectRows: 1 },
);

const found = alert.select('subscriptionId', 'businessId', 'kind', 'stateAfter');

const resolveOfCase = statement<{ tenantId: string; caseId: string }, RowOf<typeof found>>(
  'alert.resolveOfCase',
  (p) => sql`
  UPDATE monitoring_alert SET ${alert.assign({ status: 'resolved' })}
  WHERE ${alert.equal({ tenantId: p.tenantId, caseId: p.caseId, status: 'escalated' })} RETURNING ${found}`,
);

/** Records which case an escalated alert belongs to. */
export async function putIntoCase(tx: Transaction, id: string, caseId: string): Promise<void> {
  await tx.run(setCase, { tenantId: tx.tenantId!, id, caseId });
}

/** Resolves the escalated alerts of a case that is resolved, and returns what they have found. */
export function resolveAlertsOfCase(tx: Transaction, caseId: string): Promise<RowOf<typeof found>[]> {
  return tx.run(resolveOfCase, { tenantId: tx.tenantId!, caseId });
}
