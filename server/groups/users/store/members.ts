import type { Role } from '../../../contract/principal.ts';
import { knex, sql, statement, type Transaction } from '../../../database/index.ts';

/** What the tenant is called and how many may work for it. */
export interface Terms {
  readonly name: string;
  /** Null: as many as come. */
  readonly seats: number | null;
}

const lockTenant = statement<{ tenantId: string }, Terms>('user.lockTenant', (p) =>
  knex('tenant').where({ id: p.tenantId }).select('name', sql`(quotas->>'users')::integer AS seats`).forNoKeyUpdate());

const countSeats = statement<{ tenantId: string; except: string | null; now: Date }, { count: number }>('user.countSeats', (p) =>
  knex('membership as m').where({ 'm.tenant_id': p.tenantId }).where(sql`m.user_id IS DISTINCT FROM ${p.except}::uuid`)
    .where(sql`(m.status IN ('active', 'locked') OR m.status = 'invited' AND EXISTS (SELECT FROM invitation i
      WHERE i.tenant_id = m.tenant_id AND i.user_id = m.user_id AND i.accepted_at IS NULL AND i.revoked_at IS NULL AND i.expires_at > ${p.now}))`)
    .count('* as count'));

const otherOwners = statement<{ tenantId: string; userId: string }, { count: number }>('user.otherOwners', (p) =>
  knex('membership').where({ tenant_id: p.tenantId, role: 'owner', status: 'active' }).where(sql`user_id <> ${p.userId}`).count('* as count'));

const update = statement<{ tenantId: string; userId: string; name: string | null; role: string; status: string | null; now: Date }>('user.update', (p) =>
  knex('membership').where({ tenant_id: p.tenantId, user_id: p.userId }).update({
    name: sql`coalesce(${p.name}::text, name)`, role: p.role, status: sql`coalesce(${p.status}::text, status)`, updated_at: p.now, version: sql`version + 1`,
  }), { expectRows: 1 });

const callBy = statement<{ tenantId: string; userId: string; name: string }>('user.callBy', (p) =>
  knex('membership').where({ tenant_id: p.tenantId, user_id: p.userId }).update({ name: p.name }), { expectRows: 1 });

const byEmail = statement<{ tenantId: string; email: string }, { id: string }>('user.byEmail', (p) =>
  knex('user_account as u').join('membership as m', 'm.user_id', 'u.id').select('u.id')
    .where({ 'm.tenant_id': p.tenantId, 'u.email_normalised': p.email }));

const elsewhere = statement<{ tenantId: string; userId: string }, { tenant_id: string }>('user.elsewhere', (p) =>
  knex('membership').select('tenant_id').where({ user_id: p.userId }).whereIn('status', ['active', 'locked'])
    .where(sql`tenant_id <> ${p.tenantId}`).orderBy('tenant_id'));

/**
 * Changes of a tenant's members come one after the other from here to the end of the transaction, so that two of them
 * cannot both take the last seat, or the last owner's place.
 */
export async function lockTerms(tx: Transaction, tenantId: string): Promise<Terms> {
  return (await tx.run(lockTenant, { tenantId }))[0] as Terms;
}

/** Members and open invitations, without this person's. */
export async function countSeatsTaken(tx: Transaction, tenantId: string, except: string | null, now: Date): Promise<number> {
  return (await tx.run(countSeats, { tenantId, except, now }))[0]?.count ?? 0;
}

export async function hasOtherOwner(tx: Transaction, tenantId: string, userId: string): Promise<boolean> {
  return ((await tx.run(otherOwners, { tenantId, userId }))[0]?.count ?? 0) > 0;
}

/** Null leaves it. */
export interface MemberChange {
  readonly name: string | null;
  readonly role: Role;
  readonly status: 'active' | 'deactivated' | null;
}

export async function updateMember(tx: Transaction, tenantId: string, userId: string, change: MemberChange, now: Date): Promise<void> {
  await tx.run(update, { tenantId, userId, now, ...change });
}

/** What the tenant calls somebody who has not come yet; no change that anybody must know of. */
export async function nameMember(tx: Transaction, tenantId: string, userId: string, name: string): Promise<void> {
  await tx.run(callBy, { tenantId, userId, name });
}

export async function findMemberId(tx: Transaction, tenantId: string, emailNormalised: string): Promise<string | null> {
  return (await tx.run(byEmail, { tenantId, email: emailNormalised }))[0]?.id ?? null;
}

/** Platform work: the other tenants that a person works for. */
export async function otherTenantsOf(tx: Transaction, tenantId: string, userId: string): Promise<string[]> {
  return (await tx.run(elsewhere, { tenantId, userId })).map((row) => row.tenant_id);
}
