/**
 * Tables of former passwords and of reset links, and their statements. Used by change-password.ts. A replacement names
 * the hash that it replaces, so of two simultaneous changes one fails; a reset is locked when used, so its link works
 * once.
 */
import type { RealTime } from '../../base/time.ts';
import {
  bytes,
  type Fragment,
  type InsertOf,
  instant,
  type Parameter,
  type RecordOf,
  type RowOf,
  sql,
  statement,
  table,
  text,
  timestamp,
  type Transaction,
  uuid,
} from '../../database/index.ts';
import { userAccount } from '../../identity/tables.ts';

/** Number of passwords of a person, including the present one, that cannot be chosen again. */
const REMEMBERED_PASSWORDS = 5;

const passwordHistory = table(
  'password_history',
  {
    userId: uuid(),
    passwordHash: text(),
    replacedAt: timestamp(),
  },
  {
    owner: 'person',
    insertedBy: 'platform',
    example: { passwordHash: 'h' },
  },
);

const remembered = (userId: Parameter<string>): Fragment => sql`
  SELECT password_hash AS "passwordHash" FROM password_history WHERE ${passwordHistory.equal({ userId })}
  ORDER BY replaced_at DESC LIMIT ${REMEMBERED_PASSWORDS - 1}`;

const history = statement<{ userId: string }, { passwordHash: string }>('auth.password.history', (p) =>
  remembered(p.userId),
);

const remember = statement<InsertOf<typeof passwordHistory>>(
  'auth.password.remember',
  (p) => sql`${passwordHistory.insert(p)} ON CONFLICT DO NOTHING`,
);

const forget = statement<{ userId: string }>(
  'auth.password.forget',
  (p) => sql`
  DELETE FROM password_history WHERE ${passwordHistory.equal({ userId: p.userId })}
    AND password_hash NOT IN (${remembered(p.userId)})`,
);

/** Hash of a password, and the hash that it must replace; null if the account has no password yet. */
type Replacement = { readonly before: string | null; readonly after: string };

/** If two changes start with the same password, the second finds it replaced. */
const replace = statement<Replacement & { userId: string; now: RealTime }>(
  'auth.password.replace',
  (p) => sql`
  UPDATE user_account SET ${userAccount.assign({ passwordHash: p.after, passwordChangedAt: p.now, updatedAt: p.now })}
  WHERE ${userAccount.equal({ id: p.userId })} AND password_hash IS NOT DISTINCT FROM ${p.before}`,
);

export async function findFormerPasswords(tx: Transaction, userId: string): Promise<string[]> {
  return (await tx.run(history, { userId })).map(({ passwordHash }) => passwordHash);
}

/**
 * Replaces the password by `after` if it is still `before`, and remembers the former one. Returns whether it was
 * replaced.
 */
export async function replacePassword(
  tx: Transaction,
  userId: string,
  { before, after }: Replacement,
  now: RealTime,
): Promise<boolean> {
  const replaced = await tx.count(replace, {
    userId,
    before,
    after,
    now,
  });
  if (replaced === 0) return false;
  if (before !== null)
    await Promise.all([
      tx.run(remember, { userId, passwordHash: before, replacedAt: now }),
      tx.run(forget, { userId }),
    ]);
  return true;
}

const passwordReset = table(
  'password_reset',
  {
    userId: uuid(),
    hash: bytes(),
    requestedAt: instant(),
    expiresAt: instant().changes(
      'using a link locks the row, which needs the right to update; a trigger refuses every change',
    ),
  },
  {
    owner: 'person',
    insertedBy: 'platform',
  },
);

const reset = passwordReset.select('userId', 'expiresAt');
type ResetRow = RowOf<typeof reset>;
export type PasswordReset = RecordOf<typeof reset>;

const latest = statement<{ userId: string }, { requestedAt: string }>(
  'auth.reset.latest',
  (p) => sql`
  SELECT ${passwordReset.select('requestedAt')} FROM password_reset WHERE ${passwordReset.equal({ userId: p.userId })}
    ORDER BY requested_at DESC LIMIT 1`,
);

const removeAll = statement<{ userId: string }>(
  'auth.reset.removeAll',
  (p) => sql`DELETE FROM password_reset WHERE ${passwordReset.equal({ userId: p.userId })}`,
);

type NewReset = {
  readonly userId: string;
  readonly hash: Buffer;
  readonly now: RealTime;
  readonly expiresAt: Date;
};

/** Inserts nothing for a person who does not exist, after the same work. */
const insert = statement<NewReset>(
  'auth.reset.insert',
  (p) => sql`
  INSERT INTO password_reset (${passwordReset.list('userId', 'hash', 'requestedAt', 'expiresAt')})
  SELECT id, ${p.hash}::bytea, ${p.now}::timestamptz, ${p.expiresAt}::timestamptz FROM user_account
    WHERE ${userAccount.equal({ id: p.userId })}`,
);

const find = statement<{ hash: Buffer }, ResetRow>(
  'auth.reset.find',
  (p) => sql`SELECT ${reset} FROM password_reset WHERE ${passwordReset.equal({ hash: p.hash })}`,
);

const lock = statement<{ hash: Buffer }, ResetRow>(
  'auth.reset.lock',
  (p) => sql`
  SELECT ${reset} FROM password_reset WHERE ${passwordReset.equal({ hash: p.hash })} FOR UPDATE`,
);

/** Returns when the last link was sent to the person, if that link is still stored. */
export async function latestReset(tx: Transaction, userId: string): Promise<Date | null> {
  const [row] = await tx.run(latest, { userId });
  return row === undefined ? null : new Date(row.requestedAt);
}

/** Replaces all resets of the person by this one. */
export async function replaceResets(tx: Transaction, next: NewReset): Promise<void> {
  await Promise.all([tx.run(removeAll, { userId: next.userId }), tx.run(insert, next)]);
}

export async function removeResets(tx: Transaction, userId: string): Promise<void> {
  await tx.run(removeAll, { userId });
}

export async function findReset(tx: Transaction, hash: Buffer): Promise<PasswordReset | null> {
  return resetOf((await tx.run(find, { hash }))[0]);
}

/** Locks a reset until the end of the transaction, so that only the first of several parallel uses finds it. */
export async function lockReset(tx: Transaction, hash: Buffer): Promise<PasswordReset | null> {
  return resetOf((await tx.run(lock, { hash }))[0]);
}

function resetOf(row: ResetRow | undefined): PasswordReset | null {
  return row === undefined ? null : passwordReset.read(row);
}
