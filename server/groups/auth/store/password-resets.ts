import { knex, sql, statement, type Transaction } from '../../../database/index.ts';

export interface PasswordReset {
  readonly userId: string;
  readonly expiresAt: Date;
}

interface Row {
  user_id: string;
  expires_at: string;
}

const latest = statement<{ userId: string }, { requested_at: string }>('auth.reset.latest', (p) =>
  knex('password_reset').select('requested_at').where({ user_id: p.userId }).orderBy('requested_at', 'desc').limit(1));

const removeAll = statement<{ userId: string }>('auth.reset.removeAll', (p) => knex('password_reset').where({ user_id: p.userId }).delete());

/** Nothing for somebody who does not exist, after the same work. */
const insert = statement<{ userId: string; hash: Buffer; now: Date; expiresAt: Date }>('auth.reset.insert', (p) => sql`INSERT INTO password_reset (user_id, hash, requested_at, expires_at)
   SELECT id, ${p.hash}::bytea, ${p.now}::timestamptz, ${p.expiresAt}::timestamptz FROM user_account WHERE id = ${p.userId}::uuid`);

const find = statement<{ hash: Buffer }, Row>('auth.reset.find', (p) => knex('password_reset').select('user_id', 'expires_at').where({ hash: p.hash }));

const lock = statement<{ hash: Buffer }, Row>('auth.reset.lock', (p) =>
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

function resetOf(row: Row | undefined): PasswordReset | null {
  return row === undefined ? null : { userId: row.user_id, expiresAt: new Date(row.expires_at) };
}
