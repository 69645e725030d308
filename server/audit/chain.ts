import { createHash } from 'node:crypto';
import { canonicalJson, type Json } from '../base/canonical-json.ts';
import { uuidv7 } from '../base/uuid.ts';
import { type Fragment, sql } from '../database/sql.ts';
import { type ParametersOf, statement } from '../database/statement.ts';
import { bigint, bytes, json, type RowOf, table, text, timestamp, uuid } from '../database/table.ts';
import type { Transaction } from '../database/transaction.ts';

export interface AuditActor {
  readonly type: 'user' | 'api_key' | 'oauth_client' | 'system' | 'platform_user';
  readonly id: string | null;
  readonly display: string;
  readonly impersonatorId: string | null;
  /** The client that a key or token belongs to, which stays the same through rotations. */
  readonly clientId?: string;
}

export interface AuditEvent {
  readonly occurredAt: string;
  readonly environment: 'live' | 'sandbox';
  readonly actor: AuditActor;
  readonly action: string;
  readonly resource: { readonly type: string; readonly id: string | null };
  readonly outcome: 'success' | 'denied' | 'failed';
  readonly reason?: string | null;
  readonly requestId?: string | null;
  readonly ip?: string | null;
  readonly userAgent?: string | null;
  /** JSON Patch (RFC 6902); personal data in it is sealed by the caller. */
  readonly changes?: readonly { readonly op: string; readonly path: string; readonly value?: Json }[];
  readonly sealedRef?: string | null;
}

/** Number and hash of the last event of each tenant. */
export const auditHead = table('audit_head', {
  tenantId: uuid().fixed(),
  sequence: bigint(),
  prevHash: bytes(),
  hash: bytes(),
});

export const auditEvent = table('audit_event', {
  tenantId: uuid().fixed(),
  sequence: bigint().fixed(),
  id: uuid().fixed(),
  environment: text<AuditEvent['environment']>().fixed(),
  occurredAt: timestamp().fixed(),
  actor: json<AuditActor>().fixed(),
  action: text().fixed(),
  resourceType: text().fixed(),
  resourceId: text().nullable().fixed(),
  outcome: text<AuditEvent['outcome']>().fixed(),
  reason: text().nullable().fixed(),
  requestId: text().nullable().fixed(),
  ip: text().nullable().fixed(),
  userAgent: text().nullable().fixed(),
  changes: json<NonNullable<AuditEvent['changes']>>().fixed(),
  sealedRef: text().nullable().fixed(),
  prevHash: bytes().fixed(),
  hash: bytes().fixed(),
  // Computed by the database from the actor, for searches.
  actorType: text().defaulted().fixed(),
  actorId: text().nullable().defaulted().fixed(),
});

/** The columns of which an event consists, for `SELECT`. */
export const wholeEvent = auditEvent.except('actorType', 'actorId');
export type AuditRow = RowOf<typeof wholeEvent>;

/** `prevHash` of a tenant's first event. */
export function genesisHash(tenantId: string): Buffer {
  return createHash('sha256').update(tenantId).digest();
}

/** hash = SHA-256(0x00 ‖ JCS(event without hash)); 0x00 marks a leaf of the Merkle tree (RFC 6962 §2.1). */
export function eventHash(canonical: string): Buffer {
  return createHash('sha256').update(Buffer.of(0)).update(canonical).digest();
}

/**
 * Adds an event to the chain of the transaction's tenant. This is the one way to write an audit event; inside a handler `ctx.audit` calls it
 * with what the request says of itself. The statement is sent just before COMMIT, because it locks the head of the chain, which every writer
 * of the tenant needs, and so holds it for the shortest time.
 */
export function appendAudit(tx: Transaction, event: AuditEvent): void {
  if (tx.tenantId === null) throw new TypeError('an audit event belongs to a tenant');
  const { occurredAt, environment, action, resource, outcome } = event;
  const { reason = null, requestId = null, ip = null, userAgent = null, sealedRef = null } = event;
  const id = uuidv7();
  const actor = canonicalJson({ ...event.actor });
  const changes = canonicalJson((event.changes ?? []) as Json);
  const is = canonicalJson;
  tx.beforeCommit(append, {
    tenantId: tx.tenantId, id, occurredAt, environment, actor, action, resourceType: resource.type, resourceId: resource.id,
    outcome, reason, requestId, ip, userAgent, changes, sealedRef,
    // Canonical JSON in three pieces, with its members in order: the database joins them, because only the head row has `prevHash` and `sequence`.
    beforePrevHash: `{"action":${is(action)},"actor":${actor},"changes":${changes},"environment":${is(environment)},"id":"${id}","ip":${is(ip)},`
      + `"occurredAt":${is(occurredAt)},"outcome":${is(outcome)},"prevHash":"`,
    beforeSequence: `","reason":${is(reason)},"requestId":${is(requestId)},"resource":{"id":${is(resource.id)},"type":${is(resource.type)}},`
      + `"sealedRef":${is(sealedRef)},"sequence":`,
    end: `,"userAgent":${is(userAgent)}}`,
  });
}

type Append = Record<
  'tenantId' | 'id' | 'occurredAt' | 'environment' | 'actor' | 'action' | 'resourceType' | 'outcome' | 'changes' | 'beforePrevHash' | 'beforeSequence' | 'end', string
> & Record<'resourceId' | 'reason' | 'requestId' | 'ip' | 'userAgent' | 'sealedRef', string | null>;

/**
 * Advances the head and adds the event in one statement. Expressions in SET see the row as it is after its lock was awaited. Without a head
 * row the outer join yields NULL, which the columns refuse: the transaction then fails instead of leaving no trace. `sideEffect` is
 * evaluated once.
 */
const appending = (sideEffect: Fragment) => (p: ParametersOf<Append>): Fragment => sql`
  WITH text AS MATERIALIZED (SELECT ${p.beforePrevHash}::text AS a, ${p.beforeSequence}::text AS b, ${p.end}::text AS c, ${sideEffect} AS side_effect),
  head AS (
    UPDATE audit_head h SET
      sequence = h.sequence + 1,
      prev_hash = h.hash,
      hash = sha256('\\x00'::bytea || convert_to(text.a || encode(h.hash, 'hex') || text.b || (h.sequence + 1)::text || text.c, 'UTF8'))
    FROM text WHERE ${auditHead.as('h').equal({ tenantId: p.tenantId })}
    RETURNING h.sequence, h.prev_hash, h.hash
  )
  INSERT INTO audit_event (${auditEvent.list(
    'tenantId', 'sequence', 'id', 'environment', 'occurredAt', 'actor', 'action', 'resourceType', 'resourceId',
    'outcome', 'reason', 'requestId', 'ip', 'userAgent', 'changes', 'sealedRef', 'prevHash', 'hash',
  )})
  SELECT ${p.tenantId}::uuid, head.sequence, ${p.id}::uuid, ${p.environment}, ${p.occurredAt}::timestamptz, ${p.actor}::jsonb, ${p.action}, ${p.resourceType}, ${p.resourceId},
    ${p.outcome}, ${p.reason}, ${p.requestId}, ${p.ip}, ${p.userAgent}, ${p.changes}::jsonb, ${p.sealedRef}, head.prev_hash, head.hash
  FROM text LEFT JOIN head ON true`;

/** While other transactions of the tenant wait for the head, its lock is released before the commit is on disk (database/pipelined-transaction.ts). */
const append = statement<Append>('audit.append', appending(sql`NULL`), { contended: appending(sql`set_config('synchronous_commit', 'off', true)`) });

/** All members of an event except its hash, in the form in which it is hashed and shown. */
export function contentOf(row: AuditRow) {
  return {
    id: row.id, sequence: row.sequence, occurredAt: row.occurredAt, environment: row.environment, actor: row.actor, action: row.action,
    resource: { type: row.resourceType, id: row.resourceId }, outcome: row.outcome, reason: row.reason, requestId: row.requestId,
    ip: row.ip, userAgent: row.userAgent, changes: row.changes, sealedRef: row.sealedRef, prevHash: row.prevHash.toString('hex'),
  };
}

/**
 * Checks that the row is the `sequence`-th event and follows the one with `prevHash`; null, or what is wrong. The hash is computed from the
 * columns, because readers are shown the columns.
 */
export function checkRow(row: AuditRow | undefined, sequence: number, prevHash: Buffer): 'gap' | 'link_broken' | 'hash_mismatch' | null {
  if (row?.sequence !== sequence) return 'gap';
  if (!row.prevHash.equals(prevHash)) return 'link_broken';
  return eventHash(canonicalJson(contentOf(row) as unknown as Json)).equals(row.hash) ? null : 'hash_mismatch';
}
