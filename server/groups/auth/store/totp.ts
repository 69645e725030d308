import { knex, sql, statement, type Transaction } from '../../../database/index.ts';

export interface StoredTotp {
  readonly secret: Buffer;
  /** When an enrolment that nobody confirms ends; null once it is confirmed. */
  readonly expiresAt: Date | null;
  /** The time step of the code that was taken last; null before the first one. */
  readonly lastStep: number | null;
}

const lock = statement<{ userId: string }, { secret: Buffer; expires_at: string | null; last_step: number | null }>('auth.totp.lock', (p) =>
  knex('user_totp').select('secret', 'expires_at', 'last_step').where({ user_id: p.userId }).forUpdate());

const enrolled = statement<{ userId: string }, { user_id: string }>('auth.totp.enrolled', (p) =>
  knex('user_totp').select('user_id').where({ user_id: p.userId }).whereNotNull('confirmed_at'));

const begin = statement<{ userId: string; secret: Buffer; now: Date; expiresAt: Date }>('auth.totp.begin', (p) =>
  knex('user_totp').insert({ user_id: p.userId, secret: p.secret, created_at: p.now, expires_at: p.expiresAt })
    .onConflict('user_id').merge(['secret', 'created_at', 'expires_at']).where('user_totp.confirmed_at', null));

const confirm = statement<{ userId: string; step: number; now: Date }>('auth.totp.confirm', (p) =>
  knex('user_totp').where({ user_id: p.userId }).update({ confirmed_at: p.now, expires_at: null, last_step: p.step }), { expectRows: 1 });

/** Of two attempts with codes of one step the second finds its condition gone, also when they come at once. */
const take = statement<{ userId: string; step: number }>('auth.totp.take', (p) =>
  knex('user_totp').where({ user_id: p.userId }).where(sql`coalesce(last_step, -1) < ${p.step}::bigint`).update({ last_step: p.step }));

const remove = statement<{ userId: string }>('auth.totp.remove', (p) => knex('user_totp').where({ user_id: p.userId }).delete());

/** Held until the end of the transaction. */
export async function lockTotp(tx: Transaction, userId: string): Promise<StoredTotp | null> {
  const [row] = await tx.run(lock, { userId });
  return row === undefined ? null : { secret: row.secret, expiresAt: row.expires_at === null ? null : new Date(row.expires_at), lastStep: row.last_step };
}

/** Whether the person has a second factor. */
export async function isMfaEnrolled(tx: Transaction, userId: string): Promise<boolean> {
  return (await tx.run(enrolled, { userId })).length > 0;
}

/** An enrolment that waits for its first code; false when one is confirmed already. */
export async function beginEnrolment(tx: Transaction, userId: string, secret: Buffer, now: Date, expiresAt: Date): Promise<boolean> {
  return await tx.count(begin, { userId, secret, now, expiresAt }) > 0;
}

export async function confirmEnrolment(tx: Transaction, userId: string, step: number, now: Date): Promise<void> {
  await tx.run(confirm, { userId, step, now });
}

/** Whether the step was not used before; from now on it is. */
export async function takeStep(tx: Transaction, userId: string, step: number): Promise<boolean> {
  return await tx.count(take, { userId, step }) > 0;
}

export async function removeTotp(tx: Transaction, userId: string): Promise<boolean> {
  return await tx.count(remove, { userId }) > 0;
}
