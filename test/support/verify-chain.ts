/** Verifies the whole audit chain of a tenant. Used by the tests of the chain and of durability. */
import { checkRow, genesisHash } from '../../server/audit/chain.ts';
import type { AuditRow } from '../../server/audit/store.ts';

export type { AuditRow };

export interface ChainFailure {
  readonly sequence: number;
  readonly kind: 'gap' | 'link_broken' | 'hash_mismatch';
}

/**
 * Verifies one tenant's whole chain in sequence order; returns the first failure, or null. With `head`, the hash of the
 * chain's head row, a truncated chain is found as well.
 */
export function verifyChain(tenantId: string, rows: Iterable<AuditRow>, head?: Buffer): ChainFailure | null {
  let sequence = 0;
  let hash = genesisHash(tenantId);
  for (const row of rows) {
    sequence += 1;
    const kind = checkRow(row, sequence, hash);
    if (kind !== null) return { sequence, kind };
    hash = row.hash;
  }
  return head === undefined || head.equals(hash) ? null : { sequence: sequence + 1, kind: 'gap' };
}
