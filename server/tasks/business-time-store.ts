/**
 * Reads the business time of an environment inside a transaction. Used by work without a request and by moves of the
 * sandbox clock. Handlers use the clock of their context instead.
 */
import { businessTime, type BusinessTime, type RealTime, SECOND_MILLISECONDS } from '../base/time.ts';
import type { Environment } from '../contract/operation.ts';
import { type RowOf, sql, statement, type Transaction } from '../database/index.ts';
import { tenant } from '../identity/tables.ts';

const offset = tenant.select('sandboxClockOffsetSeconds');

const findOffset = statement<{ tenantId: string }, RowOf<typeof offset>>(
  'tenant.sandboxClock',
  (p) => sql`
  SELECT ${offset} FROM tenant WHERE ${tenant.equal({ id: p.tenantId })}`,
);

/**
 * Returns the business time of an environment, for work without a caller, and for requests that move the clock of the
 * sandbox: the cached tenant of a request can be seconds old.
 */
export async function timeIn(tx: Transaction, environment: Environment, now: RealTime): Promise<BusinessTime> {
  if (environment === 'live') return businessTime(now, 0);
  const [row] = await tx.run(findOffset, { tenantId: tx.tenantId! });
  return businessTime(now, (row?.sandboxClockOffsetSeconds ?? 0) * SECOND_MILLISECONDS);
}
