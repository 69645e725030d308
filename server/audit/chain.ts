/**
 * Writes and checks the hash chain of a tenant's audit log. `appendAudit` is the only way to write an event; the
 * request layer and periodic jobs call it inside their transaction. The form in which an event is hashed can never
 * change, or older events would no longer verify.
 */
import { createHash } from 'node:crypto';
import { canonicalJson, type Json } from '../base/canonical-json.ts';
import { uuidv7 } from '../base/uuid.ts';
import type { AuditAction } from '../contract/generated/audit-actions.ts';
import type { AuditChain, Transaction } from '../database/transaction.ts';
import { append, type AuditEvent, type AuditRow } from './store.ts';

/** Returns the `prevHash` of the first event of a tenant's log. */
export function genesisHash(tenantId: string, chain: AuditChain = 'open'): Buffer {
  return createHash('sha256')
    .update(chain === 'open' ? tenantId : `${tenantId} ${chain}`)
    .digest();
}

/**
 * Returns the hash of an event: SHA-256(0x00 ‖ JCS(event without hash)). 0x00 marks a leaf of the Merkle tree (RFC 6962
 * §2.1).
 */
export function eventHash(canonical: string): Buffer {
  return createHash('sha256').update(Buffer.of(0)).update(canonical).digest();
}

/**
 * Adds an event to the log of the transaction's tenant: the open or the sealed one, as the transaction was begun. This
 * is the only way to write an audit event; inside a handler `ctx.audit` calls this function with the data of the
 * request. The statement is sent just before COMMIT, because it locks the head of the chain, which every writer of the
 * tenant needs, and the lock must be held for the shortest time.
 */
export function appendAudit<A extends AuditAction>(tx: Transaction, event: AuditEvent<A>): void {
  if (tx.tenantId === null) throw new TypeError('an audit event needs a transaction with a tenant');
  const { occurredAt, environment, action, resource, outcome } = event;
  const { reason = null, requestId = null, ip = null, userAgent = null, sealedRef = null } = event;
  const id = uuidv7();
  const actor = canonicalJson({ ...event.actor });
  const changes = canonicalJson((event.changes ?? []) as Json);
  const is = canonicalJson;
  tx.beforeCommit(append, {
    tenantId: tx.tenantId,
    id,
    occurredAt,
    environment,
    actor,
    action,
    resourceType: resource.type,
    resourceId: resource.id,
    outcome,
    reason,
    requestId,
    ip,
    userAgent,
    changes,
    sealedRef,
    // Canonical JSON in three pieces, with its members in order. The database joins the pieces, because only the head
    // row has `prevHash` and `sequence`.
    beforePrevHash:
      `{"action":${is(action)},"actor":${actor},"changes":${changes},"environment":${is(environment)},"id":"${id}","ip":${is(ip)},` +
      `"occurredAt":${is(occurredAt)},"outcome":${is(outcome)},"prevHash":"`,
    beforeSequence:
      `","reason":${is(reason)},"requestId":${is(requestId)},"resource":{"id":${is(resource.id)},"type":${is(resource.type)}},` +
      `"sealedRef":${is(sealedRef)},"sequence":`,
    end: `,"userAgent":${is(userAgent)}}`,
  });
}

/** Returns all members of an event except its hash, in the form in which the event is hashed and shown. */
export function contentOf(row: AuditRow) {
  return {
    id: row.id,
    sequence: row.sequence,
    occurredAt: row.occurredAt,
    environment: row.environment,
    actor: row.actor,
    action: row.action,
    resource: { type: row.resourceType, id: row.resourceId },
    outcome: row.outcome,
    reason: row.reason,
    requestId: row.requestId,
    ip: row.ip,
    userAgent: row.userAgent,
    changes: row.changes,
    sealedRef: row.sealedRef,
    prevHash: row.prevHash.toString('hex'),
  };
}

/**
 * Checks that the row is the `sequence`-th event and follows the one with `prevHash`. Returns null or the fault. The
 * hash is computed from the columns, because readers see the columns.
 */
export function checkRow(
  row: AuditRow | undefined,
  sequence: number,
  prevHash: Buffer,
): 'gap' | 'link_broken' | 'hash_mismatch' | null {
  if (row?.sequence !== sequence) return 'gap';
  if (!row.prevHash.equals(prevHash)) return 'link_broken';
  return eventHash(canonicalJson(contentOf(row))).equals(row.hash) ? null : 'hash_mismatch';
}
