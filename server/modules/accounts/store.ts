import type { Role } from '../../contract/operation.ts';
import { knex, sql, statement, type Transaction } from '../../database/index.ts';
import type { TenantStatus } from '../../identity/tenant.ts';

export interface Tenant {
  readonly id: string;
  readonly slug: string;
  readonly name: string;
  readonly status: TenantStatus;
}

export interface User {
  readonly id: string;
  readonly email: string;
  readonly name: string;
  readonly mfaEnabled: boolean;
}

/** A person's place in one tenant. */
export interface Membership {
  readonly role: Role;
  readonly tenant: Tenant;
}

export interface Account {
  readonly user: User;
  /** Null until an invitation is accepted. */
  readonly passwordHash: string | null;
  readonly status: 'invited' | 'active' | 'locked' | 'deactivated';
  /** Active ones only. */
  readonly memberships: readonly Membership[];
}

interface MembershipRow {
  user_id: string;
  email: string;
  name: string;
  user_status: Account['status'];
  mfa_enabled: boolean;
  role: Role;
  membership_status: string;
  tenant_id: string;
  slug: string;
  tenant_name: string;
  tenant_status: TenantStatus;
}

interface AccountRow extends Omit<MembershipRow, 'role' | 'membership_status' | 'tenant_id' | 'slug' | 'tenant_name' | 'tenant_status'>, NullableMembership {
  password_hash: string | null;
}

type NullableMembership = { [P in 'role' | 'membership_status' | 'tenant_id' | 'slug' | 'tenant_name' | 'tenant_status']: MembershipRow[P] | null };

const columns = [
  'u.id as user_id', 'u.email', 'u.status as user_status', sql`(f.confirmed_at IS NOT NULL) AS mfa_enabled`,
  'm.role', 'm.status as membership_status',
  't.id as tenant_id', 't.slug', 't.name as tenant_name', 't.status as tenant_status',
];

const byEmail = statement<{ email: string }, AccountRow>('auth.account.byEmail', (p) => knex('user_account as u')
  .leftJoin('membership as m', 'm.user_id', 'u.id').leftJoin('tenant as t', 't.id', 'm.tenant_id').leftJoin('user_totp as f', 'f.user_id', 'u.id')
  .select(columns).select('u.name', 'u.password_hash').where('u.email_normalised', p.email).orderBy('t.slug'));

const byId = statement<{ id: string }, AccountRow>('auth.account.byId', (p) => knex('user_account as u')
  .leftJoin('membership as m', 'm.user_id', 'u.id').leftJoin('tenant as t', 't.id', 'm.tenant_id').leftJoin('user_totp as f', 'f.user_id', 'u.id')
  .select(columns).select('u.name', 'u.password_hash').where('u.id', p.id).orderBy('t.slug'));

const byMembership = statement<{ tenantId: string; userId: string }, MembershipRow>('auth.account.byMembership', (p) =>
  knex('membership as m').join('user_account as u', 'u.id', 'm.user_id').join('tenant as t', 't.id', 'm.tenant_id')
    .leftJoin('user_totp as f', 'f.user_id', 'u.id')
    .select(columns).select(sql`CASE WHEN m.status = 'invited' THEN u.name ELSE coalesce(m.name, u.name) END AS name`).where({ 'm.tenant_id': p.tenantId, 'm.user_id': p.userId }));

/** A change of the password waits for this, and ends what was opened with the old one; after it this finds nothing. */
const signedIn = statement<{ id: string; passwordHash: string; now: Date }>('auth.account.signedIn', (p) =>
  knex('user_account').where({ id: p.id, password_hash: p.passwordHash }).update({ last_login_at: p.now }));

/** The account of somebody who was invited begins with the password that they choose. */
const activate = statement<{ id: string; name: string; passwordHash: string; now: Date }>('auth.account.activate', (p) =>
  knex('user_account').where({ id: p.id, status: 'invited', password_hash: null })
    .update({ name: p.name, password_hash: p.passwordHash, password_changed_at: p.now, status: 'active', updated_at: p.now }));

const rehash = statement<{ id: string; passwordHash: string }>('auth.account.rehash', (p) =>
  knex('user_account').where({ id: p.id }).update({ password_hash: p.passwordHash }), { expectRows: 1 });

/** Platform work: an account and its memberships, whichever tenant they are in. */
export async function findAccount(tx: Transaction, email: string): Promise<Account | null> {
  return accountOf(await tx.run(byEmail, { email }));
}

export async function findAccountById(tx: Transaction, id: string): Promise<Account | null> {
  return accountOf(await tx.run(byId, { id }));
}

function accountOf(rows: readonly AccountRow[]): Account | null {
  const [first] = rows;
  if (first === undefined) return null;
  return {
    user: userOf(first),
    passwordHash: first.password_hash,
    status: first.user_status,
    memberships: rows.filter(isMembership).map(membershipOf),
  };
}

/** The person in the tenant, or null when they may not act there any more. */
export async function findMember(tx: Transaction, tenantId: string, userId: string): Promise<(Membership & { readonly user: User }) | null> {
  const [row] = await tx.run(byMembership, { tenantId, userId });
  if (row === undefined || row.user_status !== 'active' || row.membership_status !== 'active') return null;
  return { user: userOf(row), ...membershipOf(row) };
}

/** The person in the tenant that they were invited to, or null when that does not hold any more. */
export async function findInvited(tx: Transaction, tenantId: string, userId: string): Promise<(Membership & { readonly user: User }) | null> {
  const [row] = await tx.run(byMembership, { tenantId, userId });
  if (row === undefined || row.membership_status !== 'invited' || !['invited', 'active'].includes(row.user_status)) return null;
  return { user: userOf(row), ...membershipOf(row) };
}

/** Whether the account had no password until now. */
export async function activateAccount(tx: Transaction, id: string, name: string, passwordHash: string, now: Date): Promise<boolean> {
  return await tx.count(activate, { id, name, passwordHash, now }) > 0;
}

/** Where a member's mail goes, whatever their status. */
export async function findMemberEmail(tx: Transaction, tenantId: string, userId: string): Promise<string | null> {
  return (await tx.run(byMembership, { tenantId, userId }))[0]?.email ?? null;
}

/** Whether the password that was shown is still the one of the account: verifying it takes a while, in which it can be changed. */
export async function recordSignIn(tx: Transaction, userId: string, passwordHash: string, now: Date): Promise<boolean> {
  return await tx.count(signedIn, { id: userId, passwordHash, now }) > 0;
}

export async function replacePasswordHash(tx: Transaction, userId: string, passwordHash: string): Promise<void> {
  await tx.run(rehash, { id: userId, passwordHash });
}

function isMembership(row: AccountRow): row is AccountRow & MembershipRow {
  return row.tenant_id !== null && row.membership_status === 'active';
}

function userOf(row: Pick<MembershipRow, 'user_id' | 'email' | 'name' | 'mfa_enabled'>): User {
  return { id: row.user_id, email: row.email, name: row.name, mfaEnabled: row.mfa_enabled };
}

function membershipOf(row: MembershipRow): Membership {
  return { role: row.role, tenant: { id: row.tenant_id, slug: row.slug, name: row.tenant_name, status: row.tenant_status } };
}
