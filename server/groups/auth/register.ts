import { randomUUID } from 'node:crypto';
import type { Role } from '../../contract/principal.ts';
import { knex, sql, statement, type Transaction } from '../../database/index.ts';
import { normalEmail } from './email.ts';
import { hashPassword } from './password.ts';
import type { User } from './store/accounts.ts';

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
