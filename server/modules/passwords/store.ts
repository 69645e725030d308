import { knex, sql, statement, type Transaction } from '../../database/index.ts';

/** How many passwords of a person, the present one among them, cannot be chosen again. */
const REMEMBERED_PASSWORDS = 5;

const history = statement<{ userId: string }, { password_hash: string }>('auth.password.history', (p) =>
  knex('password_history').select('password_hash').where({ user_id: p.userId }).orderBy('replaced_at', 'desc').limit(REMEMBERED_PASSWORDS - 1));

const remember = statement<{ userId: string; passwordHash: string; now: Date }>('auth.password.remember', (p) =>
  knex('password_history').insert({ user_id: p.userId, password_hash: p.passwordHash, replaced_at: p.now }).onConflict().ignore());

const forget = statement<{ userId: string }>('auth.password.forget', (p) => knex('password_history').where({ user_id: p.userId })
  .whereNotIn('password_hash', knex('password_history').select('password_hash').where({ user_id: p.userId })
    .orderBy('replaced_at', 'desc').limit(REMEMBERED_PASSWORDS - 1)).delete());

/** Of two changes that were begun with the same password the second finds it gone. */
const replace = statement<{ userId: string; before: string | null; after: string; now: Date }>('auth.password.replace', (p) =>
  knex('user_account').where({ id: p.userId }).where(sql`password_hash IS NOT DISTINCT FROM ${p.before}`)
    .update({ password_hash: p.after, password_changed_at: p.now, updated_at: p.now }));

export async function findFormerPasswords(tx: Transaction, userId: string): Promise<string[]> {
  return (await tx.run(history, { userId })).map((row) => row.password_hash);
}

/** Whether the password was still `before`; it is `after` now, and the one before is remembered. */
export async function replacePassword(tx: Transaction, userId: string, before: string | null, after: string, now: Date): Promise<boolean> {
  if (await tx.count(replace, { userId, before, after, now }) === 0) return false;
  if (before !== null) await Promise.all([tx.run(remember, { userId, passwordHash: before, now }), tx.run(forget, { userId })]);
  return true;
}

export interface PasswordReset {
  readonly userId: string;
  readonly expiresAt: Date;
}

interface PasswordResetRow {
  user_id: string;
  expires_at: string;
}

const latest = statement<{ userId: string }, { requested_at: string }>('auth.reset.latest', (p) =>
  knex('password_reset').select('requested_at').where({ user_id: p.userId }).orderBy('requested_at', 'desc').limit(1));

const removeAll = statement<{ userId: string }>('auth.reset.removeAll', (p) => knex('password_reset').where({ user_id: p.userId }).delete());

/** Nothing for somebody who does not exist, after the same work. */
const insert = statement<{ userId: string; hash: Buffer; now: Date; expiresAt: Date }>('auth.reset.insert', (p) => sql`INSERT INTO password_reset (user_id, hash, requested_at, expires_at)
   SELECT id, ${p.hash}::bytea, ${p.now}::timestamptz, ${p.expiresAt}::timestamptz FROM user_account WHERE id = ${p.userId}::uuid`);

const find = statement<{ hash: Buffer }, PasswordResetRow>('auth.reset.find', (p) => knex('password_reset').select('user_id', 'expires_at').where({ hash: p.hash }));

const lock = statement<{ hash: Buffer }, PasswordResetRow>('auth.reset.lock', (p) =>
  knex('password_reset').select('user_id', 'expires_at').where({ hash: p.hash }).forUpdate());

/** When the person was sent a link last, as far as it can still be used. */
export async function latestReset(tx: Transaction, userId: string): Promise<Date | null> {
  const [row] = await tx.run(latest, { userId });
  return row === undefined ? null : new Date(row.requested_at);
}

/** The only reset of the person from now on. */
export async function replaceResets(tx: Transaction, reset: { userId: string; hash: Buffer; now: Date; expiresAt: Date }): Promise<void> {
  await Promise.all([tx.run(removeAll, { userId: reset.userId }), tx.run(insert, reset)]);
}

export async function removeResets(tx: Transaction, userId: string): Promise<void> {
  await tx.run(removeAll, { userId });
}

export async function findReset(tx: Transaction, hash: Buffer): Promise<PasswordReset | null> {
  return resetOf((await tx.run(find, { hash }))[0]);
}

/** Held until the end of the transaction: of parallel uses only the first one finds it. */
export async function lockReset(tx: Transaction, hash: Buffer): Promise<PasswordReset | null> {
  return resetOf((await tx.run(lock, { hash }))[0]);
}

function resetOf(row: PasswordResetRow | undefined): PasswordReset | null {
  return row === undefined ? null : { userId: row.user_id, expiresAt: new Date(row.expires_at) };
}
