import { eventHash } from './audit-chain.ts';
import { canonicalJson, type Json } from './canonical-json.ts';

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
