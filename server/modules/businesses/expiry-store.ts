/**
 * Statements that expire businesses without a request from their tenant. Used by the periodic work only. Skips locked
 * businesses: they are being changed and are retried in the next round.
 */
import type { BusinessTime } from '../../base/time.ts';
import type { Uuid } from '../../base/uuid.ts';
import type { Environment } from '../../contract/operation.ts';
import { sql, statement, type Transaction } from '../../database/index.ts';
import { timeOfChange } from '../decisions/index.ts';
import { business } from './store.ts';

export const EXPIRED_AT_ONCE = 100;

type Expiry = {
  tenantId: string;
  environment: Environment;
  from: 'needs_information' | 'approved';
  at: BusinessTime;
  reason: string;
};

/**
 * The subquery is materialised, because a plan that runs it again for each row would find other rows each time and
 * exceed the batch size.
 */
const expireBy = (due: 'expiresAt' | 'validUntil') =>
  statement<Expiry, { id: Uuid }>(
    `business.expire.${due}`,
    (p) => sql`
  WITH due AS MATERIALIZED (
    SELECT id FROM business
    WHERE ${business.equal({
      tenantId: p.tenantId,
      environment: p.environment,
      status: p.from,
      erasedAt: null,
    })} AND ${business.column(due)} <= ${p.at}
    ORDER BY ${business.column(due)} LIMIT ${EXPIRED_AT_ONCE} FOR UPDATE SKIP LOCKED)
  UPDATE business SET ${business.revise(timeOfChange(p.at), { status: 'expired', statusReason: p.reason })}
  WHERE ${business.equal({ tenantId: p.tenantId })} AND id IN (SELECT id FROM due)
  RETURNING id`,
  );

const unanswered = expireBy('expiresAt');
const approved = expireBy('validUntil');

/** Expires a batch of due businesses, and returns their ids. */
export async function expireBusinesses(tx: Transaction, expiry: Omit<Expiry, 'tenantId'>): Promise<Uuid[]> {
  const rows = await tx.run(expiry.from === 'approved' ? approved : unanswered, { ...expiry, tenantId: tx.tenantId! });
  return rows.map(({ id }) => id);
}
