import { createHash } from 'node:crypto';
import type { Environment } from '../../contract/principal.ts';

/** The namespace of this product's event ids; changing it would rename every event ever delivered. */
const NAMESPACE = Buffer.from('6f6e626f617264696e672e66756e6473', 'hex');

/**
 * The id of an event: `fre_` and a UUID version 5 (RFC 9562 §5.5) of tenant, environment and dedupe key. The same
 * directory fact ingested twice, or again after a restore, has the same id, so consumers can drop repetitions.
 */
export function eventId(tenantId: string, environment: Environment, dedupeKey: string): string {
  const hash = createHash('sha1').update(NAMESPACE).update(`${tenantId}|${environment}|${dedupeKey}`).digest().subarray(0, 16);
  hash[6] = (hash[6]! & 0x0f) | 0x50;
  hash[8] = (hash[8]! & 0x3f) | 0x80;
  const hex = hash.toString('hex');
  return `fre_${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}
