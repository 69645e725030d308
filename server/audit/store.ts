/**
 * The events of each tenant's logs, which form a chain: their tables and the statements that read and write them. The
 * input of the hashes is defined in chain.ts. Row-level security shows a transaction the rows of its own log alone, so
 * the statements name only the tenant. Used by the chain, the verification and the module audit-log.
 */
import type { RealTimestamp } from '../base/time.ts';
import type { Json } from '../base/canonical-json.ts';
import type { AuditAction, AuditResourceType } from '../contract/generated/audit-actions.ts';
import { type Fragment, sql } from '../database/sql.ts';
import { type ParametersOf, statement } from '../database/statement.ts';
import { bigint, bytes, code, json, type RowOf, table, text, timestamp, uuid } from '../database/table.ts';
import type { AuditChain, Transaction } from '../database/transaction.ts';

/** A type and not an interface, because only then does TypeScript accept it as JSON. */
export type AuditActor = {
  readonly type: 'user' | 'api_key' | 'oauth_client' | 'system' | 'platform_user';
  readonly id: string | null;
  readonly display: string;
  readonly impersonatorId: string | null;
  /** Client that a key or token belongs to, which stays the same through rotations. */
  readonly clientId?: string;
};

/**
 * An event to write. The contract declares its action and the type of its resource. Stored events may be older than the
 * contract, so both are text when read.
 */
export interface AuditEvent<A extends AuditAction = AuditAction> {
  readonly occurredAt: RealTimestamp;
  readonly environment: 'live' | 'sandbox';
  readonly actor: AuditActor;
  readonly action: A;
  readonly resource: { readonly type: AuditResourceType<A>; readonly id: string | null };
  readonly outcome: 'success' | 'denied' | 'failed';
  readonly reason?: string | null;
  readonly requestId?: string | null;
  readonly ip?: string | null;
  readonly userAgent?: string | null;
  /** JSON Patch (RFC 6902); personal data in it is sealed by the caller. */
  readonly changes?: readonly { readonly op: string; readonly path: string; readonly value?: Json }[];
  readonly sealedRef?: string | null;
}

/** Number and hash of the last event of each log. */
export const auditHead = table(
  'audit_head',
  {
    tenantId: uuid(),
    chain: code<AuditChain>().defaulted('unless an insert sets the value'),
    sequence: bigint().changes('each new event advances the head of its chain'),
    prevHash: bytes().changes('each new event advances the head of its chain'),
    hash: bytes().changes('each new event advances the head of its chain'),
  },
  {
    owner: 'tenant',
    sandboxReset: { kept: 'the audit log also covers the sandbox and its resets' },
    insertedBy: 'platform',
    updatedBy: 'both',
  },
);

export const auditEvent = table(
  'audit_event',
  {
    tenantId: uuid(),
    chain: code<AuditChain>().defaulted(),
    sequence: bigint(),
    id: uuid(),
    environment: code<AuditEvent['environment']>(),
    occurredAt: timestamp(),
    actor: json<AuditActor>(),
    action: text(),
    resourceType: text(),
    resourceId: text().nullable(),
    outcome: code<AuditEvent['outcome']>(),
    reason: text().nullable(),
    requestId: text().nullable(),
    ip: text().nullable(),
    userAgent: text().nullable(),
    changes: json<NonNullable<AuditEvent['changes']>>(),
    sealedRef: text().nullable(),
    prevHash: bytes(),
    hash: bytes(),
    // The database computes these columns from the actor, for searches.
    actorType: text().defaulted(),
    actorId: text().nullable().defaulted(),
  },
  {
    owner: 'tenant',
    sandboxReset: { kept: 'the audit log also covers the sandbox and its resets' },
    insertedBy: 'both',
    example: {
      actor: {
        type: 'user',
        id: null,
        display: 'A',
        impersonatorId: null,
      },
      action: 'audit.viewed',
      resourceType: 'audit_log',
      outcome: 'success',
      changes: [],
    },
  },
);

/** Columns of an event, for `SELECT`. */
export const wholeEvent = auditEvent.except('chain', 'actorType', 'actorId');
export type AuditRow = RowOf<typeof wholeEvent>;

type Append = Record<
  | 'tenantId'
  | 'id'
  | 'occurredAt'
  | 'environment'
  | 'actor'
  | 'action'
  | 'resourceType'
  | 'outcome'
  | 'changes'
  | 'beforePrevHash'
  | 'beforeSequence'
  | 'end',
  string
> &
  Record<'resourceId' | 'reason' | 'requestId' | 'ip' | 'userAgent' | 'sealedRef', string | null>;

/**
 * Advances the head and adds the event in one statement. Expressions in SET see the row as it is after the wait for its
 * lock. Without a head row the outer join yields NULL, which the columns refuse: so the transaction fails instead of
 * writing no event. `sideEffect` is evaluated once.
 */
const appending =
  (sideEffect: Fragment) =>
  (p: ParametersOf<Append>): Fragment =>
    sql`
  WITH text AS MATERIALIZED (SELECT ${p.beforePrevHash}::text AS a, ${p.beforeSequence}::text AS b, ${p.end}::text
    AS c, ${sideEffect} AS side_effect),
  head AS (
    UPDATE audit_head h SET
      sequence = h.sequence + 1,
      prev_hash = h.hash,
      hash = sha256('\\x00'::bytea || convert_to(text.a || encode(h.hash,
        'hex') || text.b || (h.sequence + 1)::text || text.c, 'UTF8'))
    FROM text WHERE ${auditHead.as('h').equal({ tenantId: p.tenantId })}
    RETURNING h.sequence, h.prev_hash, h.hash
  )
  INSERT INTO audit_event (${auditEvent.list(
    'tenantId',
    'sequence',
    'id',
    'environment',
    'occurredAt',
    'actor',
    'action',
    'resourceType',
    'resourceId',
    'outcome',
    'reason',
    'requestId',
    'ip',
    'userAgent',
    'changes',
    'sealedRef',
    'prevHash',
    'hash',
  )})
  SELECT ${p.tenantId}::uuid, head.sequence, ${p.id}::uuid, ${p.environment}, ${p.occurredAt}::timestamptz,
    ${p.actor}::jsonb, ${p.action}, ${p.resourceType}, ${p.resourceId},
    ${p.outcome}, ${p.reason}, ${p.requestId}, ${p.ip}, ${p.userAgent}, ${p.changes}::jsonb, ${p.sealedRef},
      head.prev_hash, head.hash
  FROM text LEFT JOIN head ON true`;

/**
 * Statement that appends an event. If other transactions of the tenant wait for the head, its lock is released before
 * the commit is on disk (database/write-transaction.ts).
 */
export const append = statement<Append>('audit.append', appending(sql`NULL`), {
  contended: appending(sql`set_config('synchronous_commit', 'off', true)`),
});

const head = auditHead.select('sequence', 'hash');
export type AuditHead = RowOf<typeof head>;

const findHead = statement<{ tenantId: string }, AuditHead>(
  'audit.head',
  (p) => sql`
  SELECT ${head} FROM audit_head WHERE ${auditHead.equal({ tenantId: p.tenantId })}`,
  { expectRows: 1 },
);

const findEvents = statement<{ tenantId: string; from: number; to: number }, AuditRow>(
  'audit.rows',
  (p) => sql`
  SELECT ${wholeEvent} FROM audit_event WHERE ${auditEvent.equal({ tenantId: p.tenantId })}
    AND sequence BETWEEN ${p.from} AND ${p.to} ORDER BY sequence`,
);

const findLast = statement<{ tenantId: string }, Pick<AuditRow, 'sequence'>>(
  'audit.last',
  (p) => sql`
  SELECT sequence FROM audit_event WHERE ${auditEvent.equal({ tenantId: p.tenantId })} ORDER BY sequence DESC LIMIT 1`,
);

const findLastAbout = statement<{ tenantId: string; action: string; resourceId: string }, AuditRow>(
  'audit.lastAbout',
  (p) => sql`
  SELECT ${wholeEvent} FROM audit_event
    WHERE ${auditEvent.equal({ tenantId: p.tenantId, resourceId: p.resourceId, action: p.action })}
    ORDER BY sequence DESC LIMIT 1`,
);

/** Returns the head of the tenant's chain: the number and hash of the last event. */
export async function readHead(tx: Transaction, tenantId: string): Promise<AuditHead> {
  return (await tx.run(findHead, { tenantId }))[0] as AuditHead;
}

export function readRows(tx: Transaction, tenantId: string, from: number, to: number): Promise<AuditRow[]> {
  return tx.run(findEvents, { tenantId, from, to });
}

/** Returns the sequence of the last stored event, or 0 if there is none. */
export async function readLastSequence(tx: Transaction, tenantId: string): Promise<number> {
  return (await tx.run(findLast, { tenantId }))[0]?.sequence ?? 0;
}

/** Returns the newest event of this action about this resource. */
export async function readLastAbout(
  tx: Transaction,
  tenantId: string,
  action: AuditAction,
  resourceId: string,
): Promise<AuditRow | null> {
  return (await tx.run(findLastAbout, { tenantId, action, resourceId }))[0] ?? null;
}
