import { knex, sql, statement, type Transaction } from '../database/index.ts';

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

const deleteTotp = statement<{ userId: string }>('auth.totp.remove', (p) => knex('user_totp').where({ user_id: p.userId }).delete());

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
  return await tx.count(deleteTotp, { userId }) > 0;
}

const insertRecoveryCodes = statement<{ userId: string; hashes: string }>('auth.recovery.insert', (p) => sql`INSERT INTO recovery_code (user_id, hash) SELECT ${p.userId}::uuid, decode(hash, 'hex') FROM jsonb_array_elements_text(${p.hashes}::jsonb) AS hash`);

const use = statement<{ userId: string; hash: Buffer; now: Date }>('auth.recovery.use', (p) =>
  knex('recovery_code').where({ user_id: p.userId, hash: p.hash, used_at: null }).update({ used_at: p.now }));

const left = statement<{ userId: string }, { count: number }>('auth.recovery.left', (p) =>
  knex('recovery_code').where({ user_id: p.userId, used_at: null }).select(sql`count(*)::integer AS count`));

const deleteRecoveryCodes = statement<{ userId: string }>('auth.recovery.remove', (p) => knex('recovery_code').where({ user_id: p.userId }).delete());

/** These and no others. */
export async function replaceRecoveryCodes(tx: Transaction, userId: string, hashes: readonly Buffer[]): Promise<void> {
  await Promise.all([
    tx.run(deleteRecoveryCodes, { userId }), tx.run(insertRecoveryCodes, { userId, hashes: JSON.stringify(hashes.map((hash) => hash.toString('hex'))) }),
  ]);
}

/** Whether the code was one of the person's and unused; from now on it is used. */
export async function useRecoveryCode(tx: Transaction, userId: string, hash: Buffer, now: Date): Promise<boolean> {
  return await tx.count(use, { userId, hash, now }) > 0;
}

export async function countRecoveryCodes(tx: Transaction, userId: string): Promise<number> {
  return (await tx.run(left, { userId }))[0]?.count ?? 0;
}

export async function removeRecoveryCodes(tx: Transaction, userId: string): Promise<void> {
  await tx.run(deleteRecoveryCodes, { userId });
}
