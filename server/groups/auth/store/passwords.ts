import { knex, sql, statement, type Transaction } from '../../../database/index.ts';

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
