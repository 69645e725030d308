/**
 * Adds events to a feed. Called, through the index, by recoveries. The head is locked until the commit, so that the
 * sequence has no holes and readers never see a later event before an earlier one. Call it last, because all publishers
 * of the feed wait. Known facts are dropped by their key.
 */
import { createHash } from 'node:crypto';
import type { Environment } from '../../contract/operation.ts';
import type { Transaction } from '../../database/index.ts';
import { appendEvents, lockHead } from './store.ts';

/** Namespace of this product's event ids. Changing it would rename every event ever delivered. */
const NAMESPACE = Buffer.from('6f6e626f617264696e672e66756e6473', 'hex');

/**
 * Returns the id of an event: `fre_` and a UUID version 5 (RFC 9562 §5.5) of tenant, environment and dedupe key. The
 * same directory fact has the same id if it is ingested twice, or again after a restore, so consumers can drop
 * repetitions.
 */
export function eventId(tenantId: string, environment: Environment, dedupeKey: string): string {
  const hash = createHash('sha1')
    .update(NAMESPACE)
    .update(`${tenantId}|${environment}|${dedupeKey}`)
    .digest()
    .subarray(0, 16);
  hash[6] = (hash[6]! & 0x0f) | 0x50;
  hash[8] = (hash[8]! & 0x3f) | 0x80;
  const hex = hash.toString('hex');
  return `fre_${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

/** Change of a recovery, as the module that learned of it passes it. */
export interface NewEvent {
  readonly fundsRecoveryId: string;
  readonly eventType: string;
  /** Status of the recovery after this event. */
  readonly status: string;
  /** Directory time, RFC 3339. */
  readonly occurredAt: string;
  /** Key that is equal for the same directory fact, however it was learned. */
  readonly dedupeKey: string;
  readonly rawPayload: object | null;
}

/** Statuses in the order of the lifecycle, in which events of the same instant are published. */
const STATUS_ORDER = ['CREATED', 'TRACKED', 'AWAITING_ANALYSIS', 'ANALYSED', 'REFUNDING', 'COMPLETED', 'CANCELLED'];

/**
 * Adds events to a feed and returns how many were new. Facts that were published before are dropped. The head row is
 * locked before the sequence is taken and until COMMIT, so a number is visible before a higher one exists and a
 * rollback leaves no hole. Must be the last step of its transaction that waits for locks, because other publishers wait
 * with it.
 */
export async function publishEvents(
  tx: Transaction,
  environment: Environment,
  events: readonly NewEvent[],
): Promise<number> {
  const tenantId = tx.tenantId!;
  const feed = { tenantId, environment };
  const [head] = await tx.run(lockHead, feed);
  if (head === undefined) throw new Error('the tenant has no feed');
  const [appended] = await tx.run(appendEvents, {
    ...feed,
    lastSeq: head.lastSeq,
    events: JSON.stringify(
      events.map((event) => ({
        ...event,
        eventId: eventId(tenantId, environment, event.dedupeKey),
        rank: STATUS_ORDER.indexOf(event.status),
      })),
    ),
  });
  return appended?.published ?? 0;
}
