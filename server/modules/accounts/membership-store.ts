/**
 * Statements on `membership` (a person in a tenant), and on the account that an invitation creates. Exported by the
 * index of the module; invitations, members and the sign-in call them. Changes that expect one row throw if the
 * membership is gone, so callers lock it first by `lockMembership`. At least one owner must stay unlocked, or nobody
 * can unlock the others.
 */
import type { RealTime } from '../../base/time.ts';
import { randomUUID } from 'node:crypto';
import type { Role } from '../../contract/operation.ts';
import { sql, statement, type RowOf, type Transaction } from '../../database/index.ts';
import { membership, userAccount } from '../../identity/tables.ts';
import { normalEmail } from '../../rules/email-address.ts';
import { hashPassword } from '../../rules/password-hash.ts';
import type { User } from './store.ts';

const columns = membership.select('role', 'status');
type Row = RowOf<typeof columns>;
type MembershipStatus = Row['status'];

/** Person and tenant, which together identify a membership. */
type MembershipKey = {
  readonly tenantId: string;
  readonly userId: string;
};

const lock = statement<MembershipKey, Row>(
  'auth.membership.lock',
  (p) => sql`
  SELECT ${columns} FROM membership WHERE ${membership.equal({ tenantId: p.tenantId, userId: p.userId })} FOR UPDATE`,
);

/** Inserts an invited membership, or invites its person again, possibly with another role. */
const invite = statement<MembershipKey & { role: Role; now: RealTime }>(
  'auth.membership.invite',
  (p) => sql`
  ${membership.insert({
    tenantId: p.tenantId,
    userId: p.userId,
    role: p.role,
    status: 'invited',
    createdAt: p.now,
    updatedAt: p.now,
  })}
  ON CONFLICT (tenant_id, user_id) DO UPDATE
    SET ${membership.assignExcluded('role', 'status', 'updatedAt')}, version = membership.version + 1`,
);

const change = statement<MembershipKey & { status: MembershipStatus; now: RealTime }>(
  'auth.membership.change',
  (p) => sql`
  UPDATE membership SET ${membership.revise(p.now, { status: p.status })}
    WHERE ${membership.equal({ tenantId: p.tenantId, userId: p.userId })}`,
  { expectRows: 1 },
);

/** Activates a membership. Clears the name from the invitation, so that the person's own name applies. */
const join = statement<MembershipKey & { now: RealTime }>(
  'auth.membership.join',
  (p) => sql`
  UPDATE membership SET ${membership.revise(p.now, { status: 'active', name: null })}
  WHERE ${membership.equal({ tenantId: p.tenantId, userId: p.userId })}`,
  { expectRows: 1 },
);

const setAbsence = statement<MembershipKey & { absentUntil: RealTime | null }>(
  'auth.membership.setAbsence',
  (p) => sql`
  UPDATE membership SET ${membership.assign({ absentUntil: p.absentUntil })}
  WHERE ${membership.equal({ tenantId: p.tenantId, userId: p.userId, status: 'active' })}`,
  { expectRows: 1 },
);

const findAbsence = statement<MembershipKey, { absentUntil: string | null }>(
  'auth.membership.absence',
  (p) => sql`
  SELECT ${membership.select('absentUntil')} FROM membership
    WHERE ${membership.equal({ tenantId: p.tenantId, userId: p.userId })}`,
);

const unlock = statement<MembershipKey & { now: RealTime }>(
  'auth.membership.unlock',
  (p) => sql`
  UPDATE membership SET ${membership.revise(p.now, { status: 'active' })}
    WHERE ${membership.equal({ tenantId: p.tenantId, userId: p.userId, status: 'locked' })}`,
);

/**
 * Locks idle members, except the owner with the latest activity, because one owner must be able to unlock the others.
 */
const lockIdle = statement<{ tenantId: string; before: Date; now: RealTime }, { userId: string }>(
  'auth.membership.lockIdle',
  (p) => sql`
  UPDATE membership SET ${membership.revise(p.now, { status: 'locked' })}
  WHERE ${membership.equal({ tenantId: p.tenantId, status: 'active' })}
    AND greatest(last_login_at, updated_at) < ${p.before}
    AND user_id IS DISTINCT FROM (
      SELECT o.user_id FROM membership o WHERE o.tenant_id = ${p.tenantId} AND o.role = 'owner' AND o.status = 'active'
      ORDER BY greatest(o.last_login_at, o.updated_at) DESC, o.user_id LIMIT 1)
  RETURNING ${membership.select('userId')}`,
);

const signedIn = statement<MembershipKey & { now: RealTime }>(
  'auth.membership.signedIn',
  (p) => sql`
  UPDATE membership SET ${membership.assign({ lastLoginAt: p.now })}
    WHERE ${membership.equal({ tenantId: p.tenantId, userId: p.userId })}`,
  { expectRows: 1 },
);

/** Reads a membership and locks it until the transaction ends. */
export async function lockMembership(tx: Transaction, tenantId: string, userId: string): Promise<Row | null> {
  return (await tx.run(lock, { tenantId, userId }))[0] ?? null;
}

export async function inviteMember(tx: Transaction, key: MembershipKey, role: Role, now: RealTime): Promise<void> {
  await tx.run(invite, { ...key, role, now });
}

export async function changeMembership(
  tx: Transaction,
  key: MembershipKey,
  status: MembershipStatus,
  now: RealTime,
): Promise<void> {
  await tx.run(change, { ...key, status, now });
}

export async function joinTenant(tx: Transaction, tenantId: string, userId: string, now: RealTime): Promise<void> {
  await tx.run(join, { tenantId, userId, now });
}

/** Unlocks a membership. Returns whether it was locked. Sets `updated_at`, from which idle days are counted again. */
export async function unlockMembership(
  tx: Transaction,
  tenantId: string,
  userId: string,
  now: RealTime,
): Promise<boolean> {
  return (await tx.count(unlock, { tenantId, userId, now })) > 0;
}

/** Locks the members without a sign-in or a change since `before`. Returns their ids. */
export async function lockIdleMembers(
  tx: Transaction,
  tenantId: string,
  before: Date,
  now: RealTime,
): Promise<string[]> {
  return (await tx.run(lockIdle, { tenantId, before, now })).map(({ userId }) => userId);
}

export async function recordMemberSignIn(
  tx: Transaction,
  tenantId: string,
  userId: string,
  now: RealTime,
): Promise<void> {
  await tx.run(signedIn, { tenantId, userId, now });
}

interface NewUser {
  readonly email: string;
  readonly name: string;
  readonly password: string;
  readonly role: Role;
  readonly now: RealTime;
}

/** Person to be inserted under a normalised address. */
type NewPerson = {
  readonly id: string;
  readonly emailNormalised: string;
  readonly email: string;
  readonly name: string;
  readonly now: RealTime;
};

const insertAccount = statement<NewPerson & { passwordHash: string }>('auth.account.insert', (p) =>
  userAccount.insert(
    {
      id: p.id,
      emailNormalised: p.emailNormalised,
      email: p.email,
      name: p.name,
      passwordHash: p.passwordHash,
      status: 'active',
      createdAt: p.now,
      updatedAt: p.now,
    },
    { passwordChangedAt: p.now },
  ),
);

/** Inserts an account unless the address has one. The address identifies the person, whose account and name remain. */
const insertPerson = statement<NewPerson>(
  'auth.account.invite',
  (p) => sql`
  ${userAccount.insert(
    {
      id: p.id,
      emailNormalised: p.emailNormalised,
      email: p.email,
      name: p.name,
      passwordHash: null,
      status: 'invited',
      createdAt: p.now,
      updatedAt: p.now,
    },
    { passwordChangedAt: p.now },
  )} ON CONFLICT (email_normalised) DO NOTHING`,
);

const findPerson = statement<{ emailNormalised: string }, User>(
  'auth.account.person',
  (p) => sql`
  SELECT ${userAccount.as('u').select('id', 'email', 'name')}, (f.confirmed_at IS NOT NULL) AS "mfaEnabled"
  FROM user_account u LEFT JOIN user_totp f ON f.user_id = u.id
    WHERE ${userAccount.as('u').equal({ emailNormalised: p.emailNormalised })}`,
);

const insertMembership = statement<MembershipKey & { role: Role; now: RealTime }>('auth.membership.insert', (p) =>
  membership.insert({
    tenantId: p.tenantId,
    userId: p.userId,
    role: p.role,
    status: 'active',
    createdAt: p.now,
    updatedAt: p.now,
  }),
);

/**
 * Creates a person with a membership in a tenant. Returns the person's id. Runs as the platform's role in the tenant.
 */
export async function createUser(
  tx: Transaction,
  tenantId: string,
  { email, name, password, role, now }: NewUser,
): Promise<string> {
  const id = randomUUID();
  const passwordHash = await hashPassword(password);
  await tx.run(insertAccount, {
    id,
    emailNormalised: normalEmail(email),
    email,
    name,
    passwordHash,
    now,
  });
  await addMember(tx, { tenantId, userId: id }, role, now);
  return id;
}

/**
 * Finds or creates the person with an address. A new person has no password yet. The result must not reveal to the
 * caller whether the account is new: therefore the id contains no date and the address is normalised. Runs as the
 * platform's role.
 */
export async function addPerson(tx: Transaction, person: Omit<NewPerson, 'id'>): Promise<User> {
  const [, [found]] = await Promise.all([
    tx.run(insertPerson, { id: randomUUID(), ...person, email: person.emailNormalised }),
    tx.run(findPerson, { emailNormalised: person.emailNormalised }),
  ]);
  return found as User;
}

/** Adds an existing person to another tenant. */
export async function addMember(tx: Transaction, key: MembershipKey, role: Role, now: RealTime): Promise<void> {
  await tx.run(insertMembership, { ...key, role, now });
}

/** Records until when a member is absent; null if they are present. */
export async function recordAbsence(
  tx: Transaction,
  tenantId: string,
  userId: string,
  absentUntil: RealTime | null,
): Promise<void> {
  await tx.run(setAbsence, { tenantId, userId, absentUntil });
}

/** Returns until when a member is absent; null if they are present. An end that is past counts as presence. */
export async function absenceOf(tx: Transaction, tenantId: string, userId: string): Promise<string | null> {
  return (await tx.run(findAbsence, { tenantId, userId }))[0]?.absentUntil ?? null;
}
