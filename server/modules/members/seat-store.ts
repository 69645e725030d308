/**
 * Counts seats and owners of a tenant under a lock on its row. Used by changes of members and, through the index, by
 * other modules that show or limit members. Callers take the lock first; otherwise two requests can both take the last
 * seat.
 */
import type { RealTime } from '../../base/time.ts';
import { sql, statement, type Transaction } from '../../database/index.ts';
import { membership, tenant } from '../../identity/tables.ts';

/** Name of a tenant and its number of seats. */
export interface SeatTerms {
  readonly name: string;
  /** Null if unlimited. */
  readonly seats: number | null;
}

const lockTenant = statement<{ tenantId: string }, SeatTerms>(
  'user.lockTenant',
  (p) => sql`
  SELECT name, (quotas->>'users')::integer AS seats FROM tenant
    WHERE ${tenant.equal({ id: p.tenantId })} FOR NO KEY UPDATE`,
);

const countSeats = statement<{ tenantId: string; except: string | null; now: RealTime }, { count: number }>(
  'user.countSeats',
  (p) => sql`
  SELECT count(*) FROM membership m
  WHERE ${membership.as('m').equal({ tenantId: p.tenantId })} AND m.user_id IS DISTINCT FROM ${p.except}::uuid
    AND (m.status IN ('active', 'locked') OR m.status = 'invited' AND EXISTS (SELECT FROM invitation i
      WHERE i.tenant_id = m.tenant_id AND i.user_id = m.user_id AND i.accepted_at IS NULL AND i.revoked_at IS NULL
        AND i.expires_at > ${p.now}))`,
);

const otherOwners = statement<{ tenantId: string; userId: string }, { count: number }>(
  'user.otherOwners',
  (p) => sql`
  SELECT count(*) FROM membership WHERE ${membership.equal({ tenantId: p.tenantId, role: 'owner', status: 'active' })}
    AND user_id <> ${p.userId}`,
);

/**
 * Reads the terms of a tenant and locks them until the transaction ends, so that changes of its members run one after
 * another: two of them cannot both take the last seat or remove the last owner.
 */
export async function lockSeatTerms(tx: Transaction, tenantId: string): Promise<SeatTerms> {
  return (await tx.run(lockTenant, { tenantId }))[0] as SeatTerms;
}

/** Counts the members and open invitations of a tenant, without those of the person `except`. */
export async function countSeatsTaken(
  tx: Transaction,
  tenantId: string,
  except: string | null,
  now: RealTime,
): Promise<number> {
  return (await tx.run(countSeats, { tenantId, except, now }))[0]?.count ?? 0;
}

export async function hasOtherOwner(tx: Transaction, tenantId: string, userId: string): Promise<boolean> {
  return ((await tx.run(otherOwners, { tenantId, userId }))[0]?.count ?? 0) > 0;
}
