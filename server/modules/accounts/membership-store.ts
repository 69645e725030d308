import { randomUUID } from 'node:crypto';
import type { Role } from '../../contract/operation.ts';
import { knex, sql, statement, type Transaction } from '../../database/index.ts';
import { normalEmail } from '../../rules/email-address.ts';
import { hashPassword } from '../../rules/password-hash.ts';
import type { User } from './store.ts';

export type MembershipStatus = 'invited' | 'active' | 'locked' | 'deactivated';

interface Row {
  role: Role;
  status: MembershipStatus;
}

const lock = statement<{ tenantId: string; userId: string }, Row>('auth.membership.lock', (p) =>
  knex('membership').select('role', 'status').where({ tenant_id: p.tenantId, user_id: p.userId }).forUpdate());

/** Inviting somebody anew may also change the role for which they were invited before. */
const invite = statement<{ tenantId: string; userId: string; role: Role; now: Date }>('auth.membership.invite', (p) =>
  sql`INSERT INTO membership (tenant_id, user_id, role, status, created_at, updated_at)
  VALUES (${p.tenantId}, ${p.userId}, ${p.role}, 'invited', ${p.now}, ${p.now})
  ON CONFLICT (tenant_id, user_id) DO UPDATE SET role = excluded.role, status = excluded.status, updated_at = excluded.updated_at, version = membership.version + 1`);

const change = statement<{ tenantId: string; userId: string; status: MembershipStatus; now: Date }>('auth.membership.change', (p) =>
  knex('membership').where({ tenant_id: p.tenantId, user_id: p.userId })
    .update({ status: p.status, updated_at: p.now, version: sql`version + 1` }), { expectRows: 1 });

/** They come under the name that they give themselves, whatever the invitation called them. */
const join = statement<{ tenantId: string; userId: string; now: Date }>('auth.membership.join', (p) =>
  knex('membership').where({ tenant_id: p.tenantId, user_id: p.userId })
    .update({ status: 'active', name: null, updated_at: p.now, version: sql`version + 1` }), { expectRows: 1 });

const unlock = statement<{ tenantId: string; userId: string; now: Date }>('auth.membership.unlock', (p) =>
  knex('membership').where({ tenant_id: p.tenantId, user_id: p.userId, status: 'locked' })
    .update({ status: 'active', updated_at: p.now, version: sql`version + 1` }));

/** The owner who was there last stays: somebody must be able to unlock the others. */
const lockIdle = statement<{ tenantId: string; before: Date; now: Date }, { user_id: string }>('auth.membership.lockIdle', (p) =>
  knex('membership').where({ tenant_id: p.tenantId, status: 'active' })
    .where(sql`greatest(last_login_at, updated_at) < ${p.before}`)
    .where(sql`user_id IS DISTINCT FROM (
      SELECT o.user_id FROM membership o WHERE o.tenant_id = ${p.tenantId} AND o.role = 'owner' AND o.status = 'active'
      ORDER BY greatest(o.last_login_at, o.updated_at) DESC, o.user_id LIMIT 1)`)
    .update({ status: 'locked', updated_at: p.now, version: sql`version + 1` }).returning('user_id'));

const signedIn = statement<{ tenantId: string; userId: string; now: Date }>('auth.membership.signedIn', (p) =>
  knex('membership').where({ tenant_id: p.tenantId, user_id: p.userId }).update({ last_login_at: p.now }), { expectRows: 1 });

/** The person's place in the tenant, held until the end of the transaction. */
export async function lockMembership(tx: Transaction, tenantId: string, userId: string): Promise<Row | null> {
  return (await tx.run(lock, { tenantId, userId }))[0] ?? null;
}

export async function inviteMember(tx: Transaction, tenantId: string, userId: string, role: Role, now: Date): Promise<void> {
  await tx.run(invite, { tenantId, userId, role, now });
}

export async function changeMembership(tx: Transaction, tenantId: string, userId: string, status: MembershipStatus, now: Date): Promise<void> {
  await tx.run(change, { tenantId, userId, status, now });
}

export async function joinTenant(tx: Transaction, tenantId: string, userId: string, now: Date): Promise<void> {
  await tx.run(join, { tenantId, userId, now });
}

/** Whether this ended a lock. The days without a sign-in count anew: `updated_at` is young again. */
export async function unlockMembership(tx: Transaction, tenantId: string, userId: string, now: Date): Promise<boolean> {
  return await tx.count(unlock, { tenantId, userId, now }) > 0;
}

/** The members who were locked because neither a sign-in nor a change of theirs is younger. */
export async function lockIdleMembers(tx: Transaction, tenantId: string, before: Date, now: Date): Promise<string[]> {
  return (await tx.run(lockIdle, { tenantId, before, now })).map((row) => row.user_id);
}

export async function recordMemberSignIn(tx: Transaction, tenantId: string, userId: string, now: Date): Promise<void> {
  await tx.run(signedIn, { tenantId, userId, now });
}

export interface NewUser {
  readonly email: string;
  readonly name: string;
  readonly password: string;
  readonly role: Role;
}

const insertAccount = statement<{ id: string; emailNormalised: string; email: string; name: string; passwordHash: string }>(
  'auth.account.insert', (p) => knex('user_account').insert({
    id: p.id, email_normalised: p.emailNormalised, email: p.email, name: p.name, password_hash: p.passwordHash,
  }));

/** The address decides who is who: a person who is known keeps their account and their name. */
const insertPerson = statement<{ id: string; emailNormalised: string; email: string; name: string; now: Date }>('auth.account.invite', (p) =>
  knex('user_account').insert({
    id: p.id, email_normalised: p.emailNormalised, email: p.email, name: p.name, status: 'invited', created_at: p.now, updated_at: p.now,
  }).onConflict('email_normalised').ignore());

const findPerson = statement<{ emailNormalised: string }, User>('auth.account.person', (p) =>
  knex('user_account as u').leftJoin('user_totp as f', 'f.user_id', 'u.id').where({ 'u.email_normalised': p.emailNormalised })
    .select('u.id', 'u.email', 'u.name', sql`(f.confirmed_at IS NOT NULL) AS "mfaEnabled"`));

const insertMembership = statement<{ tenantId: string; userId: string; role: string }>('auth.membership.insert', (p) =>
  knex('membership').insert({ tenant_id: p.tenantId, user_id: p.userId, role: p.role }));

/** A new person in a tenant; their id. Platform work in a transaction of that tenant. */
export async function createUser(tx: Transaction, tenantId: string, { email, name, password, role }: NewUser): Promise<string> {
  const id = randomUUID();
  const passwordHash = await hashPassword(password);
  await tx.run(insertAccount, { id, emailNormalised: normalEmail(email), email, name, passwordHash });
  await addMember(tx, tenantId, id, role);
  return id;
}

/**
 * The person with this address, who has no password yet if nobody had it before. Platform work. Whoever asks must not see
 * which it was: an id with a date in it would tell, and so would an address in somebody else's spelling.
 */
export async function addPerson(tx: Transaction, person: { email: string; emailNormalised: string; name: string; now: Date }): Promise<User> {
  const [, [found]] = await Promise.all([
    tx.run(insertPerson, { id: randomUUID(), ...person, email: person.emailNormalised }), tx.run(findPerson, { emailNormalised: person.emailNormalised }),
  ]);
  return found as User;
}

/** A known person in one more tenant. */
export async function addMember(tx: Transaction, tenantId: string, userId: string, role: Role): Promise<void> {
  await tx.run(insertMembership, { tenantId, userId, role });
}
