import { eventHash, genesisHash } from './audit-chain.ts';
import { canonicalJson } from './canonical-json.ts';
import type { Json } from './canonical-json.ts';

/** A row of audit_event, as the pools deliver it. */
export interface AuditRow {
  readonly tenant_id: string;
  readonly sequence: number;
  readonly id: string;
  readonly environment: string;
  readonly occurred_at: string;
  readonly actor: Json;
  readonly action: string;
  readonly resource_type: string;
  readonly resource_id: string | null;
  readonly outcome: string;
  readonly reason: string | null;
  readonly request_id: string | null;
  readonly ip: string | null;
  readonly user_agent: string | null;
  readonly changes: Json;
  readonly sealed_ref: string | null;
  readonly prev_hash: Buffer;
  readonly hash: Buffer;
  readonly canonical: string;
}

export interface ChainFailure {
  readonly sequence: number;
  readonly kind: 'gap' | 'link_broken' | 'hash_mismatch';
}

/**
 * Walks one tenant's whole chain, in sequence order: the first place where it does not hold, or null. With `head`,
 * the hash of the chain's head row, a chain that was cut at its end is found as well.
 */
export function verifyChain(tenantId: string, rows: Iterable<AuditRow>, head?: Buffer): ChainFailure | null {
  let sequence = 0;
  let hash = genesisHash(tenantId);
  for (const row of rows) {
    sequence += 1;
    if (row.sequence !== sequence) return { sequence, kind: 'gap' };
    if (!row.prev_hash.equals(hash)) return { sequence, kind: 'link_broken' };
    // The text is what was hashed, the columns are what is read: both must say the same.
    if (canonicalText(row) !== row.canonical || !eventHash(row.canonical).equals(row.hash)) return { sequence, kind: 'hash_mismatch' };
    hash = row.hash;
  }
  return head === undefined || head.equals(hash) ? null : { sequence: sequence + 1, kind: 'gap' };
}

function canonicalText(row: AuditRow): string {
  return canonicalJson({
    id: row.id, sequence: row.sequence, occurredAt: row.occurred_at, environment: row.environment, actor: row.actor, action: row.action,
    resource: { type: row.resource_type, id: row.resource_id }, outcome: row.outcome, reason: row.reason, requestId: row.request_id,
    ip: row.ip, userAgent: row.user_agent, changes: row.changes, sealedRef: row.sealed_ref, prevHash: row.prev_hash.toString('hex'),
  });
}
