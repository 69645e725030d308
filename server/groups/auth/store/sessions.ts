import { statement, type Transaction } from '../../../database/index.ts';

export interface Session {
  readonly tenantId: string;
  readonly id: string;
  readonly userId: string;
  readonly createdAt: Date;
  readonly lastSeenAt: Date;
  readonly absoluteExpiresAt: Date;
  readonly endedAt: Date | null;
  readonly userAgentHash: Buffer;
}

export interface NewSession extends Omit<Session, 'lastSeenAt' | 'endedAt'> {
  readonly userAgent: string;
  readonly ip: string;
}

export type EndReason = 'logout' | 'reuse_detected';

interface Row {
  tenant_id: string;
  id: string;
  user_id: string;
  created_at: string;
  last_seen_at: string;
  absolute_expires_at: string;
  ended_at: string | null;
  user_agent_hash: Buffer;
}

const columns = ['tenant_id', 'id', 'user_id', 'created_at', 'last_seen_at', 'absolute_expires_at', 'ended_at', 'user_agent_hash'];

const insert = statement<{
  tenantId: string; id: string; userId: string; createdAt: Date; absoluteExpiresAt: Date; userAgent: string; userAgentHash: Buffer; ip: string;
}>('auth.session.insert', (knex, p) => knex('session').insert({
  tenant_id: p.tenantId, id: p.id, user_id: p.userId, created_at: p.createdAt, last_seen_at: p.createdAt,
  absolute_expires_at: p.absoluteExpiresAt, user_agent: p.userAgent, user_agent_hash: p.userAgentHash, ip: p.ip,
}));

const find = statement<{ tenantId: string; id: string }, Row>('auth.session.find', (knex, p) =>
  knex('session').select(columns).where({ tenant_id: p.tenantId, id: p.id }));

const touch = statement<{ tenantId: string; id: string; now: Date }>('auth.session.touch', (knex, p) =>
  knex('session').where({ tenant_id: p.tenantId, id: p.id }).update({ last_seen_at: p.now }));

const end = statement<{ tenantId: string; id: string; now: Date; reason: string }, { id: string }>('auth.session.end', (knex, p) =>
  knex('session').where({ tenant_id: p.tenantId, id: p.id, ended_at: null })
    .update({ ended_at: p.now, ended_reason: p.reason }).returning('id'));

const endAll = statement<{ tenantId: string; userId: string; now: Date; reason: string }, { id: string }>('auth.session.endAll', (knex, p) =>
  knex('session').where({ tenant_id: p.tenantId, user_id: p.userId, ended_at: null })
    .update({ ended_at: p.now, ended_reason: p.reason }).returning('id'));

export async function insertSession(tx: Transaction, session: NewSession): Promise<void> {
  await tx.run(insert, { ...session });
}

export async function findSession(tx: Transaction, tenantId: string, id: string): Promise<Session | null> {
  const [row] = await tx.run(find, { tenantId, id });
  return row === undefined ? null : sessionOf(row);
}

export async function touchSession(tx: Transaction, tenantId: string, id: string, now: Date): Promise<void> {
  await tx.run(touch, { tenantId, id, now });
}

/** The ids of the sessions that this ended: none when it had ended before. */
export async function endSession(tx: Transaction, tenantId: string, id: string, now: Date, reason: EndReason): Promise<string[]> {
  return (await tx.run(end, { tenantId, id, now, reason })).map((row) => row.id);
}

export async function endAllSessions(tx: Transaction, tenantId: string, userId: string, now: Date, reason: EndReason): Promise<string[]> {
  return (await tx.run(endAll, { tenantId, userId, now, reason })).map((row) => row.id);
}

function sessionOf(row: Row): Session {
  return {
    tenantId: row.tenant_id, id: row.id, userId: row.user_id,
    createdAt: new Date(row.created_at), lastSeenAt: new Date(row.last_seen_at),
    absoluteExpiresAt: new Date(row.absolute_expires_at),
    endedAt: row.ended_at === null ? null : new Date(row.ended_at),
    userAgentHash: row.user_agent_hash,
  };
}
