import { createHash } from 'node:crypto';
import { canonicalJson, type Json } from '../base/canonical-json.ts';
import { uuidv7 } from '../base/uuid.ts';
import { type Fragment, sql } from '../database/sql.ts';
import { type ParametersOf, statement } from '../database/statement.ts';
import type { Transaction } from '../database/transaction.ts';

export interface AuditActor {
  readonly type: 'user' | 'api_key' | 'oauth_client' | 'system' | 'platform_user';
  readonly id: string | null;
  readonly display: string;
  readonly impersonatorId: string | null;
  /** Of a key or token, the client that it belongs to. */
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

/** `prevHash` of a tenant's first event. */
export function genesisHash(tenantId: string): Buffer {
  return createHash('sha256').update(tenantId).digest();
}

/** hash = SHA-256(0x00 ‖ JCS(event without hash)); 0x00 marks a leaf of the Merkle tree (RFC 6962 §2.1). */
export function eventHash(canonical: string): Buffer {
  return createHash('sha256').update(Buffer.of(0)).update(canonical).digest();
}

/**
 * Adds the event to the tenant's chain, at the very end of the transaction: the head row is then locked for
 * the shortest time, and it serialises the writers of a tenant.
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
    // Canonical JSON in three pieces, its members in order: only the head knows `prevHash` and `sequence`, so the database joins it.
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
 * One statement: advance the head, add the event. Expressions in SET see the row as it was, after its lock
 * was waited for. Without a head row the outer join yields NULL, which the columns refuse: the
 * transaction then fails instead of going unrecorded. `beside` is computed once.
 */
const appending = (beside: Fragment) => (p: ParametersOf<Append>): Fragment => sql`
  WITH text AS MATERIALIZED (SELECT ${p.beforePrevHash}::text AS a, ${p.beforeSequence}::text AS b, ${p.end}::text AS c, ${beside} AS beside),
  head AS (
    UPDATE audit_head h SET
      sequence = h.sequence + 1,
      prev_hash = h.hash,
      hash = sha256('\\x00'::bytea || convert_to(text.a || encode(h.hash, 'hex') || text.b || (h.sequence + 1)::text || text.c, 'UTF8'))
    FROM text WHERE h.tenant_id = ${p.tenantId}::uuid
    RETURNING h.sequence, h.prev_hash, h.hash
  )
  INSERT INTO audit_event (tenant_id, sequence, id, environment, occurred_at, actor, action, resource_type, resource_id,
    outcome, reason, request_id, ip, user_agent, changes, sealed_ref, prev_hash, hash)
  SELECT ${p.tenantId}::uuid, head.sequence, ${p.id}::uuid, ${p.environment}, ${p.occurredAt}::timestamptz, ${p.actor}::jsonb, ${p.action}, ${p.resourceType}, ${p.resourceId},
    ${p.outcome}, ${p.reason}, ${p.requestId}, ${p.ip}, ${p.userAgent}, ${p.changes}::jsonb, ${p.sealedRef}, head.prev_hash, head.hash
  FROM text LEFT JOIN head ON true`;

/** The head is the one row that all writers of a tenant take: while others wait, it is released before it is on disk. */
const append = statement<Append>('audit.append', appending(sql`NULL`), { contended: appending(sql`set_config('synchronous_commit', 'off', true)`) });

/** A row of audit_event, as the pools deliver it. */
export interface AuditRow {
  readonly tenant_id: string;
  readonly sequence: number;
  readonly id: string;
  readonly environment: 'live' | 'sandbox';
  readonly occurred_at: string;
  readonly actor: { readonly type: 'user' | 'api_key' | 'oauth_client' | 'system' | 'platform_user'; readonly id: string | null; readonly display: string; readonly impersonatorId: string | null };
  readonly action: string;
  readonly resource_type: string;
  readonly resource_id: string | null;
  readonly outcome: 'success' | 'denied' | 'failed';
  readonly reason: string | null;
  readonly request_id: string | null;
  readonly ip: string | null;
  readonly user_agent: string | null;
  readonly changes: readonly { readonly op: string; readonly path: string; readonly value?: Json }[];
  readonly sealed_ref: string | null;
  readonly prev_hash: Buffer;
  readonly hash: Buffer;
}

/** Everything of an event but its hash, in the form in which it is hashed and shown. */
export function contentOf(row: AuditRow) {
  return {
    id: row.id, sequence: row.sequence, occurredAt: row.occurred_at, environment: row.environment, actor: row.actor, action: row.action,
    resource: { type: row.resource_type, id: row.resource_id }, outcome: row.outcome, reason: row.reason, requestId: row.request_id,
    ip: row.ip, userAgent: row.user_agent, changes: row.changes, sealedRef: row.sealed_ref, prevHash: row.prev_hash.toString('hex'),
  };
}

/**
 * Whether the row is the `sequence`-th event after the one with `prevHash`: null, or what is wrong. The hash is computed
 * from the columns, because they are what is read.
 */
export function checkRow(row: AuditRow | undefined, sequence: number, prevHash: Buffer): 'gap' | 'link_broken' | 'hash_mismatch' | null {
  if (row?.sequence !== sequence) return 'gap';
  if (!row.prev_hash.equals(prevHash)) return 'link_broken';
  return eventHash(canonicalJson(contentOf(row) as unknown as Json)).equals(row.hash) ? null : 'hash_mismatch';
}
