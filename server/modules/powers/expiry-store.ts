/** Statements that find and mark confirmed powers whose last day has passed. Used by the periodic work only. */
import type { BusinessTime } from '../../base/time.ts';
import type { Uuid } from '../../base/uuid.ts';
import type { Environment } from '../../contract/operation.ts';
import { sql, statement, type Transaction } from '../../database/index.ts';
import { power } from './power-store.ts';

/** Batch size. */
export const EXPIRED_AT_ONCE = 50;

type Scope = { tenantId: string; environment: Environment; today: string };

const listOver = statement<Scope, { id: Uuid; businessId: Uuid }>(
  'power.over',
  (p) => sql`
  SELECT id, business_id AS "businessId" FROM power
  WHERE ${power.equal({
    tenantId: p.tenantId,
    environment: p.environment,
    status: 'active',
    expiredAt: null,
    erasedAt: null,
  })} AND valid_until < ${p.today}
  ORDER BY business_id, id LIMIT ${EXPIRED_AT_ONCE}`,
);

const mark = statement<{ tenantId: string; ids: readonly string[]; at: BusinessTime }>(
  'power.expire',
  (p) => sql`
  UPDATE power SET ${power.assign({ expiredAt: p.at })}
  WHERE ${power.equal({ tenantId: p.tenantId })} AND id = ANY (${p.ids}::uuid[])`,
);

/** Lists powers that no round has found yet, in the order in which their businesses are locked. */
export function listOverPowers(
  tx: Transaction,
  scope: Omit<Scope, 'tenantId'>,
): Promise<{ readonly id: Uuid; readonly businessId: Uuid }[]> {
  return tx.run(listOver, { ...scope, tenantId: tx.tenantId! });
}

/** Marks powers, so that no later round finds them again. */
export function markExpired(tx: Transaction, ids: readonly string[], at: BusinessTime): void {
  if (ids.length > 0) void tx.run(mark, { tenantId: tx.tenantId!, ids, at });
}
