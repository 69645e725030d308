import {
  bytes,
  every,
  type Fragment,
  type InsertOf,
  instant,
  keyset,
  type Parameter,
  type RecordOf,
  type RowOf,
  sql,
  statement,
  table,
  timestamp,
  type Transaction,
  uuid,
} from '../../database/index.ts';
import { membership, session } from '../../identity/tables.ts';
import type { Position } from '../../request/pagination.ts';

const record = session.except('endedReason');
type Row = RowOf<typeof record>;
export type Session = RecordOf<typeof record>;
type NewSession = Omit<Session, 'lastSeenAt' | 'endedAt'>;

type EndReason =
  | 'logout'
  | 'reuse_detected'
  | 'password_changed'
  | 'password_reset'
  | 'mfa_changed'
  | 'role_changed'
  | 'deactivated'
  | 'administrator';

type Key = { tenantId: string; id: string };

const insertSessionRow = statement<InsertOf<typeof session>>('auth.session.insert', (p) => session.insert(p));

const findSessionRow = statement<Key, Row>(
  'auth.session.find',
  (p) => sql`SELECT ${record} FROM session WHERE ${session.equal({ tenantId: p.tenantId, id: p.id })}`,
);

const touch = statement<Key & { now: Date; idleSeconds: number }>(
  'auth.session.touch',
  (p) => sql`
  UPDATE session SET ${session.assign({ lastSeenAt: p.now, idleSeconds: p.idleSeconds })}
    WHERE ${session.equal({ tenantId: p.tenantId, id: p.id })}`,
);

const stepUp = statement<Key & { now: Date }>(
  'auth.session.stepUp',
  (p) => sql`
  UPDATE session SET ${session.assign({ stepUpAt: p.now })}
    WHERE ${session.equal({ tenantId: p.tenantId, id: p.id, endedAt: null })}`,
);

const showFactorIn = statement<Key & { now: Date }>(
  'auth.session.showFactor',
  (p) => sql`
  UPDATE session SET ${session.assign({ mfa: true, stepUpAt: p.now })}
    WHERE ${session.equal({ tenantId: p.tenantId, id: p.id })}`,
);

const ofPerson = (userId: Parameter<string>): Fragment => sql`
  (tenant_id, user_id) IN (SELECT m.tenant_id, m.user_id FROM membership m
    WHERE m.user_id = ${userId}) AND ${session.equal({ endedAt: null })}`;

const withdrawFactorOf = statement<{ userId: string }>(
  'auth.session.withdrawFactor',
  (p) => sql`
  UPDATE session SET ${session.assign({ mfa: false, stepUpAt: null })} WHERE ${ofPerson(p.userId)}`,
);

const trust = statement<Key>(
  'auth.session.trustPassword',
  (p) => sql`
  UPDATE session SET ${session.assign({ passwordOutdated: false })}
    WHERE ${session.equal({ tenantId: p.tenantId, id: p.id })}`,
);

const end = statement<
  {
    tenantId: string;
    userId: string;
    id: string | null;
    now: Date;
    reason: EndReason;
  },
  { id: string }
>(
  'auth.session.end',
  (p) => sql`
    UPDATE session SET ${session.assign({ endedAt: p.now, endedReason: p.reason })}
    WHERE ${session.equal({ tenantId: p.tenantId, userId: p.userId, endedAt: null })}
      AND id = coalesce(${p.id}::uuid, id)
    RETURNING id`,
);

const endOfPerson = statement<
  {
    userId: string;
    except: string | null;
    now: Date;
    reason: EndReason;
  },
  { id: string }
>(
  'auth.session.endOfPerson',
  (p) => sql`
  UPDATE session SET ${session.assign({ endedAt: p.now, endedReason: p.reason })}
  WHERE ${ofPerson(p.userId)} AND id IS DISTINCT FROM ${p.except}::uuid
  RETURNING id`,
);

export async function insertSession(tx: Transaction, opened: NewSession): Promise<void> {
  await tx.run(insertSessionRow, { ...opened, lastSeenAt: opened.createdAt });
}

export async function findSession(tx: Transaction, tenantId: string, id: string): Promise<Session | null> {
  const [row] = await tx.run(findSessionRow, { tenantId, id });
  return row === undefined ? null : session.read(row);
}

export async function touchSession(
  tx: Transaction,
  tenantId: string,
  id: string,
  now: Date,
  idleSeconds: number,
): Promise<void> {
  await tx.run(touch, {
    tenantId,
    id,
    now,
    idleSeconds,
  });
}

export async function recordStepUp(tx: Transaction, tenantId: string, id: string, now: Date): Promise<void> {
  await tx.run(stepUp, { tenantId, id, now });
}

/** Marks the session as one with a second factor. */
export async function showFactor(tx: Transaction, tenantId: string, id: string, now: Date): Promise<void> {
  await tx.run(showFactorIn, { tenantId, id, now });
}

/** Removes the second factor from all sessions of a person. Must run as the platform. */
export async function withdrawFactor(tx: Transaction, userId: string): Promise<void> {
  await tx.run(withdrawFactorOf, { userId });
}

/** Marks the password of the session as good, after the weak one was replaced. */
export async function trustPassword(tx: Transaction, tenantId: string, id: string): Promise<void> {
  await tx.run(trust, { tenantId, id });
}

interface SessionsToEnd {
  readonly tenantId: string;
  readonly userId: string;
  /** Ends only this session, if set. */
  readonly sessionId?: string | undefined;
  readonly reason: EndReason;
  readonly now: Date;
}

/**
 * Ends sessions, and returns the ids of those that were still open. The caller must forget them in `credentials` after
 * the commit.
 */
export async function endSessions(
  tx: Transaction,
  { tenantId, userId, sessionId, reason, now }: SessionsToEnd,
): Promise<string[]> {
  return (
    await tx.run(end, {
      tenantId,
      userId,
      id: sessionId ?? null,
      now,
      reason,
    })
  ).map((row) => row.id);
}

/** Ends the person's sessions in every tenant. Must run as the platform. */
export async function endSessionsOfPerson(
  tx: Transaction,
  userId: string,
  except: string | null,
  now: Date,
  reason: EndReason,
): Promise<string[]> {
  return (
    await tx.run(endOfPerson, {
      userId,
      except,
      now,
      reason,
    })
  ).map((row) => row.id);
}

const refreshToken = table(
  'refresh_token',
  {
    tenantId: uuid(),
    hash: bytes(),
    sessionId: uuid(),
    issuedAt: timestamp(),
    expiresAt: instant(),
    supersededAt: instant().nullable().defaulted().changes('a token is exchanged for the next'),
    successor: bytes().nullable().defaulted().changes('a token is exchanged for the next'),
  },
  {
    owner: 'tenant',
    sandboxReset: { kept: 'people belong to the tenant, not to an environment' },
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
  now: Date;
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

export async function insertToken(
  tx: Transaction,
  token: {
    tenantId: string;
    hash: Buffer;
    sessionId: string;
    issuedAt: Date;
    expiresAt: Date;
  },
): Promise<void> {
  await tx.run(insertRefreshToken, token);
}

/** Marks a token as replaced; `successor` is the hash of the next token. */
export async function supersedeToken(
  tx: Transaction,
  tenantId: string,
  hash: Buffer,
  successor: Buffer,
  now: Date,
): Promise<void> {
  await tx.run(supersede, {
    tenantId,
    hash,
    now,
    successor,
  });
}

const open = session.select('id', 'createdAt', 'lastSeenAt', 'mfa', 'ip', 'userAgent');

interface OpenSessionRow extends RowOf<typeof open> {
  readonly expiresAt: string;
}

const EXPIRES = sql`least(absolute_expires_at, last_seen_at + idle_seconds * interval '1 second')`;

const findMembership = statement<{ tenantId: string; userId: string }, { userId: string }>(
  'user.isMember',
  (p) => sql`
  SELECT ${membership.select('userId')} FROM membership
    WHERE ${membership.equal({ tenantId: p.tenantId, userId: p.userId })}`,
);

const findSessionOfUser = statement<{ tenantId: string; userId: string; id: string }, { id: string }>(
  'user.session',
  (p) => sql`
  SELECT id FROM session WHERE ${session.equal({ tenantId: p.tenantId, userId: p.userId, id: p.id })}`,
);

/** Returns the open sessions, newest first, at most `count` after the position. */
export async function listOpenSessions(
  tx: Transaction,
  of: { tenantId: string; userId: string },
  after: Position | null,
  count: number,
  now: Date,
): Promise<OpenSessionRow[]> {
  const page = keyset(
    {
      key: sql`created_at`,
      type: sql`timestamptz`,
      id: sql`id`,
      direction: 'desc',
    },
    after,
  );
  return tx.query<OpenSessionRow>(sql`
    SELECT ${open}, ${EXPIRES} AS "expiresAt" FROM session
    WHERE ${every([session.equal({ ...of, endedAt: null }), sql`${EXPIRES} > ${now}`, page.after])}
    ORDER BY ${page.order} LIMIT ${count}`);
}

export async function isMember(tx: Transaction, tenantId: string, userId: string): Promise<boolean> {
  return (await tx.run(findMembership, { tenantId, userId })).length > 0;
}

/** Returns whether the person ever had this session, open or not. */
export async function hadSession(
  tx: Transaction,
  of: { tenantId: string; userId: string; id: string },
): Promise<boolean> {
  return (await tx.run(findSessionOfUser, of)).length > 0;
}
