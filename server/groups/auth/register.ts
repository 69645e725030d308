import type { Role } from '../../contract/principal.ts';
import { statement, uuidv7, type Transaction } from '../../database/index.ts';
import { normalEmail } from './email.ts';
import { hashPassword } from './password.ts';

export interface NewUser {
  readonly email: string;
  readonly name: string;
  readonly password: string;
  readonly role: Role;
}

const insertAccount = statement<{ id: string; emailNormalised: string; email: string; name: string; passwordHash: string }>(
  'auth.account.insert', (knex, p) => knex('user_account').insert({
    id: p.id, email_normalised: p.emailNormalised, email: p.email, name: p.name, password_hash: p.passwordHash,
  }));

const insertMembership = statement<{ tenantId: string; userId: string; role: string }>('auth.membership.insert', (knex, p) =>
  knex('membership').insert({ tenant_id: p.tenantId, user_id: p.userId, role: p.role }));

/** A new person in a tenant; their id. Platform work in a transaction of that tenant. */
export async function createUser(tx: Transaction, tenantId: string, { email, name, password, role }: NewUser): Promise<string> {
  const id = uuidv7();
  const passwordHash = await hashPassword(password);
  await tx.run(insertAccount, { id, emailNormalised: normalEmail(email), email, name, passwordHash });
  await addMember(tx, tenantId, id, role);
  return id;
}

/** A known person in one more tenant. */
export async function addMember(tx: Transaction, tenantId: string, userId: string, role: Role): Promise<void> {
  await tx.run(insertMembership, { tenantId, userId, role });
}
