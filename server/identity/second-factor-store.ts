/**
 * Statements on authenticators and recovery codes. Used by second-factor.ts and by the modules of sign-in and second
 * factor. The row is locked while a code is verified, so that a code works once.
 */
import {
  bytes,
  type RecordOf,
  type RowOf,
  sql,
  statement,
  table,
  timestamp,
  type Transaction,
  uuid,
} from '../database/index.ts';
import { userTotp } from './tables.ts';

const stored = userTotp.select('secret', 'expiresAt', 'lastStep');
/**
 * Stored authenticator. `expiresAt` is the end of an unconfirmed enrolment, and null once it is confirmed; `lastStep`
 * is the time step of the last accepted code.
 */
type StoredTotp = RecordOf<typeof stored>;

const lock = statement<{ userId: string }, RowOf<typeof stored>>(
  'auth.totp.lock',
  (p) => sql`
  SELECT ${stored} FROM user_totp WHERE ${userTotp.equal({ userId: p.userId })} FOR UPDATE`,
);

const enrolled = statement<{ userId: string }, { userId: string }>(
  'auth.totp.enrolled',
  (p) => sql`
  SELECT ${userTotp.select('userId')} FROM user_totp
    WHERE ${userTotp.equal({ userId: p.userId })} AND confirmed_at IS NOT NULL`,
);

type NewEnrolment = {
  readonly userId: string;
  /** Sealed secret of the authenticator. */
  readonly secret: Buffer;
  readonly now: Date;
  readonly expiresAt: Date;
};

const begin = statement<NewEnrolment>(
  'auth.totp.begin',
  (p) => sql`
  ${userTotp.insert({
    userId: p.userId,
    secret: p.secret,
    createdAt: p.now,
    expiresAt: p.expiresAt,
  })}
  ON CONFLICT (user_id) DO UPDATE SET ${userTotp.assignExcluded('secret', 'createdAt', 'expiresAt')}
    WHERE user_totp.confirmed_at IS NULL`,
);

const confirm = statement<{ userId: string; step: number; now: Date }>(
  'auth.totp.confirm',
  (p) => sql`
  UPDATE user_totp SET ${userTotp.assign({ confirmedAt: p.now, expiresAt: null, lastStep: p.step })}
    WHERE ${userTotp.equal({ userId: p.userId })}`,
  { expectRows: 1 },
);

/**
 * Marks a step as used. Of two attempts with codes of one step, only the first meets the condition, even if they are
 * simultaneous.
 */
const take = statement<{ userId: string; step: number }>(
  'auth.totp.take',
  (p) => sql`
  UPDATE user_totp SET ${userTotp.assign({ lastStep: p.step })}
  WHERE ${userTotp.equal({ userId: p.userId })} AND coalesce(last_step, -1) < ${p.step}::bigint`,
);

const deleteTotp = statement<{ userId: string }>(
  'auth.totp.remove',
  (p) => sql`DELETE FROM user_totp WHERE ${userTotp.equal({ userId: p.userId })}`,
);

/** Reads the authenticator and locks it until the end of the transaction. */
export async function lockTotp(tx: Transaction, userId: string): Promise<StoredTotp | null> {
  const [row] = await tx.run(lock, { userId });
  return row === undefined ? null : userTotp.read(row);
}

/** Tells whether the person has a second factor. */
export async function isMfaEnrolled(tx: Transaction, userId: string): Promise<boolean> {
  return (await tx.run(enrolled, { userId })).length > 0;
}

/** Starts an enrolment that waits for its first code. Returns false if one is already confirmed. */
export async function beginEnrolment(tx: Transaction, enrolment: NewEnrolment): Promise<boolean> {
  return (await tx.count(begin, enrolment)) > 0;
}

export async function confirmEnrolment(tx: Transaction, userId: string, step: number, now: Date): Promise<void> {
  await tx.run(confirm, { userId, step, now });
}

/** Marks the step as used. Returns false if it was used before. */
export async function takeStep(tx: Transaction, userId: string, step: number): Promise<boolean> {
  return (await tx.count(take, { userId, step })) > 0;
}

export async function removeTotp(tx: Transaction, userId: string): Promise<boolean> {
  return (await tx.count(deleteTotp, { userId })) > 0;
}

const recoveryCode = table(
  'recovery_code',
  {
    userId: uuid(),
    hash: bytes(),
    usedAt: timestamp().nullable().defaulted().changes('the user uses a recovery code'),
  },
  {
    owner: 'person',
    insertedBy: 'platform',
  },
);

const insertRecoveryCodes = statement<{ userId: string; hashes: readonly Buffer[] }>(
  'auth.recovery.insert',
  (p) => sql`
  INSERT INTO recovery_code (${recoveryCode.list('userId', 'hash')}) SELECT ${p.userId}::uuid, hash
    FROM unnest(${p.hashes}::bytea[]) AS hash`,
);

const use = statement<{ userId: string; hash: Buffer; now: Date }>(
  'auth.recovery.use',
  (p) => sql`
  UPDATE recovery_code SET ${recoveryCode.assign({ usedAt: p.now })}
    WHERE ${recoveryCode.equal({ userId: p.userId, hash: p.hash, usedAt: null })}`,
);

const left = statement<{ userId: string }, { count: number }>(
  'auth.recovery.left',
  (p) => sql`
  SELECT count(*) FROM recovery_code WHERE ${recoveryCode.equal({ userId: p.userId, usedAt: null })}`,
);

const deleteRecoveryCodes = statement<{ userId: string }>(
  'auth.recovery.remove',
  (p) => sql`
  DELETE FROM recovery_code WHERE ${recoveryCode.equal({ userId: p.userId })}`,
);

/** Replaces all recovery codes by these. */
export async function replaceRecoveryCodes(tx: Transaction, userId: string, hashes: readonly Buffer[]): Promise<void> {
  await Promise.all([tx.run(deleteRecoveryCodes, { userId }), tx.run(insertRecoveryCodes, { userId, hashes })]);
}

/** Marks a recovery code as used. Returns false if the code does not belong to the person or was used before. */
export async function useRecoveryCode(tx: Transaction, userId: string, hash: Buffer, now: Date): Promise<boolean> {
  return (await tx.count(use, { userId, hash, now })) > 0;
}

export async function countRecoveryCodes(tx: Transaction, userId: string): Promise<number> {
  return (await tx.run(left, { userId }))[0]?.count ?? 0;
}

export async function removeRecoveryCodes(tx: Transaction, userId: string): Promise<void> {
  await tx.run(deleteRecoveryCodes, { userId });
}
