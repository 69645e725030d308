/**
 * Statements on `session`. Used by this module and, through the index, by modules that end sessions. Whoever ends
 * sessions must forget them in the credential cache after the commit.
 */
import type { RealTime } from '../../base/time.ts';
import {
  type Fragment,
  type InsertOf,
  type Parameter,
  type RecordOf,
  type RowOf,
  sql,
  statement,
  type Transaction,
} from '../../database/index.ts';
import { session } from '../../identity/tables.ts';

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

type Key = {
  readonly tenantId: string;
  readonly id: string;
};

const insertSessionRow = statement<InsertOf<typeof session>>('auth.session.insert', (p) => session.insert(p));

const findSessionRow = statement<Key, Row>(
  'auth.session.find',
  (p) => sql`SELECT ${record} FROM session WHERE ${session.equal({ tenantId: p.tenantId, id: p.id })}`,
);

const touch = statement<Key & { now: RealTime; idleSeconds: number }>(
  'auth.session.touch',
  (p) => sql`
  UPDATE session SET ${session.assign({ lastSeenAt: p.now, idleSeconds: p.idleSeconds })}
    WHERE ${session.equal({ tenantId: p.tenantId, id: p.id })}`,
);

const stepUp = statement<Key & { now: RealTime }>(
  'auth.session.stepUp',
  (p) => sql`
  UPDATE session SET ${session.assign({ stepUpAt: p.now })}
    WHERE ${session.equal({ tenantId: p.tenantId, id: p.id, endedAt: null })}`,
);

const showFactorIn = statement<Key & { now: RealTime }>(
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

type Ending = { readonly reason: EndReason; readonly now: RealTime };

const end = statement<Ending & { tenantId: string; userId: string; id: string | null }, { id: string }>(
  'auth.session.end',
  (p) => sql`
    UPDATE session SET ${session.assign({ endedAt: p.now, endedReason: p.reason })}
    WHERE ${session.equal({ tenantId: p.tenantId, userId: p.userId, endedAt: null })}
      AND id = coalesce(${p.id}::uuid, id)
    RETURNING id`,
);

const endOfPerson = statement<Ending & { userId: string; except: string | null }, { id: string }>(
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

export async function touchSession(tx: Transaction, key: Key, idleSeconds: number, now: RealTime): Promise<void> {
  await tx.run(touch, {
    tenantId: key.tenantId,
    id: key.id,
    now,
    idleSeconds,
  });
}

export async function recordStepUp(tx: Transaction, tenantId: string, id: string, now: RealTime): Promise<void> {
  await tx.run(stepUp, { tenantId, id, now });
}

/** Marks the session as one with a second factor. */
export async function showFactor(tx: Transaction, tenantId: string, id: string, now: RealTime): Promise<void> {
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

interface SessionsToEnd extends Ending {
  readonly tenantId: string;
  readonly userId: string;
  /** Ends only this session, if set. */
  readonly sessionId?: string | undefined;
}

/**
 * Ends sessions, and returns the ids of those that were still open. The caller must forget them in `credentials` after
 * the commit.
 */
export async function endSessions(
  tx: Transaction,
  { tenantId, userId, sessionId, reason, now }: SessionsToEnd,
): Promise<string[]> {
  const ended = await tx.run(end, {
    tenantId,
    userId,
    id: sessionId ?? null,
    now,
    reason,
  });
  return ended.map((row) => row.id);
}

interface SessionsOfPersonToEnd extends Ending {
  readonly userId: string;
  /** Leaves this session open, if set. */
  readonly except?: string | undefined;
}

/** Ends the person's sessions in every tenant. Must run as the platform. */
export async function endSessionsOfPerson(
  tx: Transaction,
  { userId, except, reason, now }: SessionsOfPersonToEnd,
): Promise<string[]> {
  const ended = await tx.run(endOfPerson, {
    userId,
    except: except ?? null,
    now,
    reason,
  });
  return ended.map((row) => row.id);
}
