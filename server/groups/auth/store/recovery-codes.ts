import { knex, sql, statement, type Transaction } from '../../../database/index.ts';

const insert = statement<{ userId: string; hashes: string }>('auth.recovery.insert', (p) => sql`INSERT INTO recovery_code (user_id, hash) SELECT ${p.userId}::uuid, decode(hash, 'hex') FROM jsonb_array_elements_text(${p.hashes}::jsonb) AS hash`);

const use = statement<{ userId: string; hash: Buffer; now: Date }>('auth.recovery.use', (p) =>
  knex('recovery_code').where({ user_id: p.userId, hash: p.hash, used_at: null }).update({ used_at: p.now }));

const left = statement<{ userId: string }, { count: number }>('auth.recovery.left', (p) =>
  knex('recovery_code').where({ user_id: p.userId, used_at: null }).select(sql`count(*)::integer AS count`));

const remove = statement<{ userId: string }>('auth.recovery.remove', (p) => knex('recovery_code').where({ user_id: p.userId }).delete());

/** These and no others. */
export async function replaceRecoveryCodes(tx: Transaction, userId: string, hashes: readonly Buffer[]): Promise<void> {
  await Promise.all([
    tx.run(remove, { userId }), tx.run(insert, { userId, hashes: JSON.stringify(hashes.map((hash) => hash.toString('hex'))) }),
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
  await tx.run(remove, { userId });
}
