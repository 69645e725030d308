/**
 * Statements on `user_account`: finding a person by address or id with their memberships, activating an account, and
 * recording a sign-in. Used by this module and, through its index, by sign-in, sessions, passwords and invitations.
 * Functions that read across tenants run as the platform's role. A sign-in is not recorded if the password has changed
 * meanwhile; callers must treat that as a failed sign-in.
 */
import type { RealTime } from '../../base/time.ts';
import type { Uuid } from '../../base/uuid.ts';
import type { Role } from '../../contract/operation.ts';
import { sql, statement, type Fragment, type Transaction } from '../../database/index.ts';
import { membership, userAccount } from '../../identity/tables.ts';
import type { TenantStatus } from '../../identity/tenant.ts';

export interface Tenant {
  readonly id: Uuid;
  readonly slug: string;
  readonly name: string;
  readonly status: TenantStatus;
}

export interface User {
  readonly id: Uuid;
  readonly email: string;
  readonly name: string;
  readonly mfaEnabled: boolean;
}

/** Membership of a person in one tenant. */
export interface Membership {
  readonly role: Role;
  readonly tenant: Tenant;
}

export interface Account {
  readonly user: User;
  /** Null until an invitation is accepted. */
  readonly passwordHash: string | null;
  readonly status: 'invited' | 'active' | 'locked' | 'deactivated';
  /** Active memberships. */
  readonly memberships: readonly Membership[];
}

interface MembershipRow {
  readonly userId: Uuid;
  readonly email: string;
  readonly name: string;
  readonly userStatus: Account['status'];
  readonly mfaEnabled: boolean;
  readonly role: Role;
  readonly membershipStatus: string;
  readonly tenantId: Uuid;
  readonly slug: string;
  readonly tenantName: string;
  readonly tenantStatus: TenantStatus;
}

type OfMembership = 'role' | 'membershipStatus' | 'tenantId' | 'slug' | 'tenantName' | 'tenantStatus';
/**
 * Row of an account with a membership. The columns of the membership are null if the person is not a member anywhere.
 */
type AccountRow = Omit<MembershipRow, OfMembership> & { readonly [P in OfMembership]: MembershipRow[P] | null } & {
  readonly passwordHash: string | null;
};

const columns = sql`
  u.id AS "userId", u.email, u.status AS "userStatus", (f.confirmed_at IS NOT NULL) AS "mfaEnabled",
  m.role, m.status AS "membershipStatus",
  t.id AS "tenantId", t.slug, t.name AS "tenantName", t.status AS "tenantStatus"`;

const account = (condition: Fragment): Fragment => sql`
  SELECT ${columns}, ${userAccount.as('u').select('name', 'passwordHash')}
  FROM user_account u LEFT JOIN membership m ON m.user_id = u.id LEFT JOIN tenant t ON t.id = m.tenant_id
    LEFT JOIN user_totp f ON f.user_id = u.id
  WHERE ${condition} ORDER BY t.slug`;

const byEmail = statement<{ email: string }, AccountRow>('auth.account.byEmail', (p) =>
  account(userAccount.as('u').equal({ emailNormalised: p.email })),
);

const byId = statement<{ id: string }, AccountRow>('auth.account.byId', (p) =>
  account(userAccount.as('u').equal({ id: p.id })),
);

const byMembership = statement<{ tenantId: string; userId: string }, MembershipRow>(
  'auth.account.byMembership',
  (p) => sql`
  SELECT ${columns}, CASE WHEN m.status = 'invited' THEN u.name ELSE coalesce(m.name, u.name) END AS name
  FROM membership m JOIN user_account u ON u.id = m.user_id JOIN tenant t ON t.id = m.tenant_id
    LEFT JOIN user_totp f ON f.user_id = u.id
  WHERE ${membership.as('m').equal({ tenantId: p.tenantId, userId: p.userId })}`,
);

/**
 * Records a sign-in if the password hash is unchanged. A simultaneous change of the password waits for this row and
 * then ends the sessions that were opened with the old password. After such a change this statement finds no row.
 */
const signedIn = statement<{ id: string; passwordHash: string; now: RealTime }>(
  'auth.account.signedIn',
  (p) => sql`
  UPDATE user_account SET ${userAccount.assign({ lastLoginAt: p.now })}
    WHERE ${userAccount.equal({ id: p.id, passwordHash: p.passwordHash })}`,
);

/** Name and password that an invited person has chosen. */
type ChosenAccount = { readonly name: string; readonly passwordHash: string };

/** Activates the account of an invited person with the chosen password, unless the account already has a password. */
const activate = statement<ChosenAccount & { id: string; now: RealTime }>(
  'auth.account.activate',
  (p) => sql`
  UPDATE user_account
  SET ${userAccount.assign({
    name: p.name,
    passwordHash: p.passwordHash,
    passwordChangedAt: p.now,
    status: 'active',
    updatedAt: p.now,
  })}
  WHERE ${userAccount.equal({ id: p.id, status: 'invited', passwordHash: null })}`,
);

const rehash = statement<{ id: string; passwordHash: string }>(
  'auth.account.rehash',
  (p) => sql`
  UPDATE user_account SET ${userAccount.assign({ passwordHash: p.passwordHash })}
    WHERE ${userAccount.equal({ id: p.id })}`,
  { expectRows: 1 },
);

/** Finds an account and its memberships in all tenants. Runs as the platform's role. */
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
    passwordHash: first.passwordHash,
    status: first.userStatus,
    memberships: rows.filter(isMembership).map(membershipOf),
  };
}

/** Finds a member of a tenant. Returns null if the account or the membership is not active. */
export async function findMember(
  tx: Transaction,
  tenantId: string,
  userId: string,
): Promise<(Membership & { readonly user: User }) | null> {
  const [row] = await tx.run(byMembership, { tenantId, userId });
  if (row === undefined || row.userStatus !== 'active' || row.membershipStatus !== 'active') return null;
  return { user: userOf(row), ...membershipOf(row) };
}

/** Finds a person in the tenant that invited them. Returns null if the invitation is no longer pending. */
export async function findInvited(
  tx: Transaction,
  tenantId: string,
  userId: string,
): Promise<(Membership & { readonly user: User }) | null> {
  const [row] = await tx.run(byMembership, { tenantId, userId });
  if (row === undefined || row.membershipStatus !== 'invited' || !['invited', 'active'].includes(row.userStatus))
    return null;
  return { user: userOf(row), ...membershipOf(row) };
}

/** Activates an account. Returns false if it already had a password. */
export async function activateAccount(
  tx: Transaction,
  id: string,
  chosen: ChosenAccount,
  now: RealTime,
): Promise<boolean> {
  return (await tx.count(activate, { id, ...chosen, now })) > 0;
}

/** Returns the e-mail address of a member, whatever their status. */
export async function findMemberEmail(tx: Transaction, tenantId: string, userId: string): Promise<string | null> {
  return (await tx.run(byMembership, { tenantId, userId }))[0]?.email ?? null;
}

/**
 * Records a sign-in. Returns false if the password has changed since it was verified, because verification takes a
 * while.
 */
export async function recordSignIn(
  tx: Transaction,
  userId: string,
  passwordHash: string,
  now: RealTime,
): Promise<boolean> {
  return (await tx.count(signedIn, { id: userId, passwordHash, now })) > 0;
}

export async function replacePasswordHash(tx: Transaction, userId: string, passwordHash: string): Promise<void> {
  await tx.run(rehash, { id: userId, passwordHash });
}

function isMembership(row: AccountRow): row is AccountRow & MembershipRow {
  return row.tenantId !== null && row.membershipStatus === 'active';
}

function userOf(row: Pick<MembershipRow, 'userId' | 'email' | 'name' | 'mfaEnabled'>): User {
  return {
    id: row.userId,
    email: row.email,
    name: row.name,
    mfaEnabled: row.mfaEnabled,
  };
}

function membershipOf(row: MembershipRow): Membership {
  return {
    role: row.role,
    tenant: {
      id: row.tenantId,
      slug: row.slug,
      name: row.tenantName,
      status: row.tenantStatus,
    },
  };
}
