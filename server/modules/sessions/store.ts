import { knex, sql, statement, type Transaction } from '../../database/index.ts';
import type { Position } from '../../request/pagination.ts';

export interface Session {
  readonly tenantId: string;
  readonly id: string;
  readonly userId: string;
  readonly createdAt: Date;
  readonly lastSeenAt: Date;
  readonly absoluteExpiresAt: Date;
  /** Seconds that the login lasts without being used. */
  readonly idleSeconds: number;
  readonly endedAt: Date | null;
  readonly userAgentHash: Buffer;
  readonly userAgent: string | null;
  readonly ip: string | null;
  readonly mfa: boolean;
  /** When a second factor was given last. */
  readonly stepUpAt: Date | null;
  /** Opened with a password weaker than what is asked of new ones. */
  readonly passwordOutdated: boolean;
}

export type NewSession = Omit<Session, 'lastSeenAt' | 'endedAt'>;

export type EndReason = 'logout' | 'reuse_detected' | 'password_changed' | 'password_reset' | 'mfa_changed' | 'role_changed' | 'deactivated' | 'administrator';

interface StoredSessionRow {
  tenant_id: string;
  id: string;
  user_id: string;
  created_at: string;
  last_seen_at: string;
  absolute_expires_at: string;
  idle_seconds: number;
  ended_at: string | null;
  user_agent_hash: Buffer;
  user_agent: string | null;
  ip: string | null;
  mfa: boolean;
  step_up_at: string | null;
  password_outdated: boolean;
}

const sessionColumns = [
  'tenant_id', 'id', 'user_id', 'created_at', 'last_seen_at', 'absolute_expires_at', 'idle_seconds', 'ended_at', 'user_agent_hash',
  'user_agent', 'ip', 'mfa', 'step_up_at', 'password_outdated',
];

const insertSessionRow = statement<{
  tenantId: string; id: string; userId: string; createdAt: Date; absoluteExpiresAt: Date; idleSeconds: number; userAgent: string | null; userAgentHash: Buffer;
  ip: string | null; mfa: boolean; stepUpAt: Date | null; passwordOutdated: boolean;
}>('auth.session.insert', (p) => knex('session').insert({
  tenant_id: p.tenantId, id: p.id, user_id: p.userId, created_at: p.createdAt, last_seen_at: p.createdAt, absolute_expires_at: p.absoluteExpiresAt,
  idle_seconds: p.idleSeconds, user_agent: p.userAgent, user_agent_hash: p.userAgentHash, ip: p.ip, mfa: p.mfa, step_up_at: p.stepUpAt,
  password_outdated: p.passwordOutdated,
}));

const findSessionRow = statement<{ tenantId: string; id: string }, StoredSessionRow>('auth.session.find', (p) =>
  knex('session').select(sessionColumns).where({ tenant_id: p.tenantId, id: p.id }));

const touch = statement<{ tenantId: string; id: string; now: Date; idleSeconds: number }>('auth.session.touch', (p) =>
  knex('session').where({ tenant_id: p.tenantId, id: p.id }).update({ last_seen_at: p.now, idle_seconds: p.idleSeconds }));

const stepUp = statement<{ tenantId: string; id: string; now: Date }>('auth.session.stepUp', (p) =>
  knex('session').where({ tenant_id: p.tenantId, id: p.id, ended_at: null }).update({ step_up_at: p.now }));

const showFactorIn = statement<{ tenantId: string; id: string; now: Date }>('auth.session.showFactor', (p) =>
  knex('session').where({ tenant_id: p.tenantId, id: p.id }).update({ mfa: true, step_up_at: p.now }));

const withdrawFactorOf = statement<{ userId: string }>('auth.session.withdrawFactor', (p) => knex('session')
  .where(sql`(tenant_id, user_id) IN (SELECT m.tenant_id, m.user_id FROM membership m WHERE m.user_id = ${p.userId})`)
  .where({ ended_at: null }).update({ mfa: false, step_up_at: null }));

const trust = statement<{ tenantId: string; id: string }>('auth.session.trustPassword', (p) =>
  knex('session').where({ tenant_id: p.tenantId, id: p.id }).update({ password_outdated: false }));

const end = statement<{ tenantId: string; userId: string; id: string | null; except: string | null; now: Date; reason: string }, { id: string }>(
  'auth.session.end', (p) => knex('session').where({ tenant_id: p.tenantId, user_id: p.userId, ended_at: null })
    .where(sql`id = coalesce(${p.id}::uuid, id)`).where(sql`id IS DISTINCT FROM ${p.except}::uuid`)
    .update({ ended_at: p.now, ended_reason: p.reason }).returning('id'));

const endOfPerson = statement<{ userId: string; except: string | null; now: Date; reason: string }, { id: string }>(
  'auth.session.endOfPerson', (p) => knex('session')
    .where(sql`(tenant_id, user_id) IN (SELECT m.tenant_id, m.user_id FROM membership m WHERE m.user_id = ${p.userId})`)
    .where({ ended_at: null }).where(sql`id IS DISTINCT FROM ${p.except}::uuid`)
    .update({ ended_at: p.now, ended_reason: p.reason }).returning('id'));

export async function insertSession(tx: Transaction, session: NewSession): Promise<void> {
  await tx.run(insertSessionRow, { ...session });
}

export async function findSession(tx: Transaction, tenantId: string, id: string): Promise<Session | null> {
  const [row] = await tx.run(findSessionRow, { tenantId, id });
  return row === undefined ? null : sessionOf(row);
}

export async function touchSession(tx: Transaction, tenantId: string, id: string, now: Date, idleSeconds: number): Promise<void> {
  await tx.run(touch, { tenantId, id, now, idleSeconds });
}

export async function recordStepUp(tx: Transaction, tenantId: string, id: string, now: Date): Promise<void> {
  await tx.run(stepUp, { tenantId, id, now });
}

/** A second factor was given within the session. */
export async function showFactor(tx: Transaction, tenantId: string, id: string, now: Date): Promise<void> {
  await tx.run(showFactorIn, { tenantId, id, now });
}

/** Platform work: a factor that is gone speaks for no session any more. */
export async function withdrawFactor(tx: Transaction, userId: string): Promise<void> {
  await tx.run(withdrawFactorOf, { userId });
}

/** The password that opened the session was replaced by a good one. */
export async function trustPassword(tx: Transaction, tenantId: string, id: string): Promise<void> {
  await tx.run(trust, { tenantId, id });
}

export interface SessionsToEnd {
  readonly tenantId: string;
  readonly userId: string;
  /** Only this one. */
  readonly sessionId?: string | undefined;
  /** All but this one. */
  readonly except?: string | undefined;
  readonly reason: EndReason;
  readonly now: Date;
}

/** The ids of the sessions that this ended: none when they had ended before. Forget them in `credentials` after the commit. */
export async function endSessions(tx: Transaction, { tenantId, userId, sessionId, except, reason, now }: SessionsToEnd): Promise<string[]> {
  return (await tx.run(end, { tenantId, userId, id: sessionId ?? null, except: except ?? null, now, reason })).map((row) => row.id);
}

/** Platform work: the person's sessions in every tenant. */
export async function endSessionsOfPerson(tx: Transaction, userId: string, except: string | null, now: Date, reason: EndReason): Promise<string[]> {
  return (await tx.run(endOfPerson, { userId, except, now, reason })).map((row) => row.id);
}

function sessionOf(row: StoredSessionRow): Session {
  const instant = (text: string | null): Date | null => text === null ? null : new Date(text);
  return {
    tenantId: row.tenant_id, id: row.id, userId: row.user_id,
    createdAt: new Date(row.created_at), lastSeenAt: new Date(row.last_seen_at),
    absoluteExpiresAt: new Date(row.absolute_expires_at), idleSeconds: row.idle_seconds, endedAt: instant(row.ended_at),
    userAgentHash: row.user_agent_hash, userAgent: row.user_agent, ip: row.ip,
    mfa: row.mfa, stepUpAt: instant(row.step_up_at), passwordOutdated: row.password_outdated,
  };
}

export interface StoredToken {
  readonly tenantId: string;
  readonly sessionId: string;
  readonly hash: Buffer;
  readonly expiresAt: Date;
  readonly usedAt: Date | null;
}

interface RefreshTokenRow {
  tenant_id: string;
  session_id: string;
  hash: Buffer;
  expires_at: string;
  superseded_at: string | null;
}

const refreshTokenColumns = ['tenant_id', 'session_id', 'hash', 'expires_at', 'superseded_at'];

const lockRefreshToken = statement<{ hash: Buffer }, RefreshTokenRow>('auth.refresh.lock', (p) =>
  knex('refresh_token').select(refreshTokenColumns).where({ hash: p.hash }).forUpdate());

const findRefreshToken = statement<{ hash: Buffer }, RefreshTokenRow>('auth.refresh.find', (p) =>
  knex('refresh_token').select(refreshTokenColumns).where({ hash: p.hash }));

const insertRefreshToken = statement<{ tenantId: string; hash: Buffer; sessionId: string; issuedAt: Date; expiresAt: Date }>('auth.refresh.insert', (p) =>
  knex('refresh_token').insert({ tenant_id: p.tenantId, hash: p.hash, session_id: p.sessionId, issued_at: p.issuedAt, expires_at: p.expiresAt }));

const supersede = statement<{ tenantId: string; hash: Buffer; now: Date; successor: Buffer }>('auth.refresh.supersede', (p) =>
  knex('refresh_token').where({ tenant_id: p.tenantId, hash: p.hash }).update({ superseded_at: p.now, successor: p.successor }), { expectRows: 1 });

/** The token, held until the end of the transaction: of parallel uses only the first one makes a successor. */
export async function lockToken(tx: Transaction, hash: Buffer): Promise<StoredToken | null> {
  const [row] = await tx.run(lockRefreshToken, { hash });
  return row === undefined ? null : tokenOf(row);
}

export async function findToken(tx: Transaction, hash: Buffer): Promise<StoredToken | null> {
  const [row] = await tx.run(findRefreshToken, { hash });
  return row === undefined ? null : tokenOf(row);
}

export async function insertToken(
  tx: Transaction, token: { tenantId: string; hash: Buffer; sessionId: string; issuedAt: Date; expiresAt: Date },
): Promise<void> {
  await tx.run(insertRefreshToken, token);
}

/** `successor` is the hash of the next token. */
export async function supersedeToken(tx: Transaction, tenantId: string, hash: Buffer, successor: Buffer, now: Date): Promise<void> {
  await tx.run(supersede, { tenantId, hash, now, successor });
}

function tokenOf(row: RefreshTokenRow): StoredToken {
  return {
    tenantId: row.tenant_id, sessionId: row.session_id, hash: row.hash, expiresAt: new Date(row.expires_at),
    usedAt: row.superseded_at === null ? null : new Date(row.superseded_at),
  };
}

export interface OpenSessionRow {
  readonly id: string;
  readonly created_at: string;
  readonly last_seen_at: string;
  readonly expires_at: string;
  readonly mfa: boolean;
  readonly ip: string | null;
  readonly user_agent: string | null;
}

const EXPIRES = sql`least(absolute_expires_at, last_seen_at + idle_seconds * interval '1 second')`;

const findMembership = statement<{ tenantId: string; userId: string }, { user_id: string }>('user.isMember', (p) =>
  knex('membership').select('user_id').where({ tenant_id: p.tenantId, user_id: p.userId }));

const findSessionOfUser = statement<{ tenantId: string; userId: string; id: string }, { id: string }>('user.session', (p) =>
  knex('session').select('id').where({ tenant_id: p.tenantId, user_id: p.userId, id: p.id }));

/** The open sessions, newest first; at most `count` after the position. */
export async function listOpenSessions(
  tx: Transaction, of: { tenantId: string; userId: string }, after: Position | null, count: number, now: Date,
): Promise<OpenSessionRow[]> {
  const query = knex('session')
    .select('id', 'created_at', 'last_seen_at', sql`${EXPIRES} AS expires_at`, 'mfa', 'ip', 'user_agent')
    .where({ tenant_id: of.tenantId, user_id: of.userId, ended_at: null }).where(sql`${EXPIRES} > ${now}`)
    .orderBy([{ column: 'created_at', order: 'desc' }, { column: 'id', order: 'desc' }]).limit(count);
  if (after !== null) query.where(sql`(created_at, id) < (${after[0]!}::timestamptz, ${after[1]!}::uuid)`);
  return tx.query<OpenSessionRow>(query);
}

export async function isMember(tx: Transaction, tenantId: string, userId: string): Promise<boolean> {
  return (await tx.run(findMembership, { tenantId, userId })).length > 0;
}

/** Whether the person ever had this session, open or not. */
export async function hadSession(tx: Transaction, of: { tenantId: string; userId: string; id: string }): Promise<boolean> {
  return (await tx.run(findSessionOfUser, of)).length > 0;
}
