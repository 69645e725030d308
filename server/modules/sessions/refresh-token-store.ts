/**
 * Table `refresh_token` and its statements. Used by opening, renewing and closing sessions. Only hashes are stored. A
 * token is locked when used, so that of several parallel uses one creates the successor.
 */
import type { RealTime } from '../../base/time.ts';
import {
  bytes,
  type InsertOf,
  instant,
  type RecordOf,
  type RowOf,
  sql,
  statement,
  table,
  timestamp,
  type Transaction,
  uuid,
} from '../../database/index.ts';

const refreshToken = table(
  'refresh_token',
  {
    tenantId: uuid(),
    hash: bytes(),
    sessionId: uuid(),
    issuedAt: timestamp(),
    expiresAt: instant(),
    supersededAt: instant().nullable().defaulted().changes('the client exchanges the token for the next one'),
    successor: bytes().nullable().defaulted().changes('the client exchanges the token for the next one'),
  },
  {
    owner: 'tenant',
    sandboxReset: { kept: 'users belong to the tenant, not to an environment' },
    insertedBy: 'platform',
  },
);

const storedToken = refreshToken.except('issuedAt', 'successor');
type TokenRow = RowOf<typeof storedToken>;
export type StoredToken = RecordOf<typeof storedToken>;

const lockRefreshToken = statement<{ hash: Buffer }, TokenRow>(
  'auth.refresh.lock',
  (p) => sql`
  SELECT ${storedToken} FROM refresh_token WHERE ${refreshToken.equal({ hash: p.hash })} FOR UPDATE`,
);

const insertRefreshToken = statement<InsertOf<typeof refreshToken>>('auth.refresh.insert', (p) =>
  refreshToken.insert(p),
);

const supersede = statement<{
  tenantId: string;
  hash: Buffer;
  now: RealTime;
  successor: Buffer;
}>(
  'auth.refresh.supersede',
  (p) => sql`
  UPDATE refresh_token SET ${refreshToken.assign({ supersededAt: p.now, successor: p.successor })}
  WHERE ${refreshToken.equal({ tenantId: p.tenantId, hash: p.hash })}`,
  { expectRows: 1 },
);

/**
 * Locks a token until the end of the transaction, so that only the first of several parallel uses creates a successor.
 */
export async function lockToken(tx: Transaction, hash: Buffer): Promise<StoredToken | null> {
  const [row] = await tx.run(lockRefreshToken, { hash });
  return row === undefined ? null : refreshToken.read(row);
}

export async function insertToken(tx: Transaction, token: InsertOf<typeof refreshToken>): Promise<void> {
  await tx.run(insertRefreshToken, token);
}

/** Marks a token as replaced; `successor` is the hash of the next token. */
export async function supersedeToken(
  tx: Transaction,
  { tenantId, hash }: Pick<StoredToken, 'tenantId' | 'hash'>,
  successor: Buffer,
  now: RealTime,
): Promise<void> {
  await tx.run(supersede, {
    tenantId,
    hash,
    now,
    successor,
  });
}
