/**
 * Reads a page of the feed for a consumer, and decides how payloads are shown. Called by the handlers; the views are
 * used by recoveries through the index. Presenting a cursor acknowledges; receiving a page does not, so a lost response
 * repeats events rather than losing them.
 */
import type { BusinessTime, RealTime } from '../../base/time.ts';
import type { AnyPrincipal, Environment } from '../../contract/operation.ts';
import type { Transaction } from '../../database/index.ts';
import { maskPersonalData } from '../../rules/personal-data.ts';
import { readSettings } from '../tenant-settings/index.ts';
import { acknowledge, findAcknowledged, isAcknowledged } from './consumer-store.ts';
import { assertPositionAvailable, type Consumer, cursorExpired, type FeedCursors } from './cursor.ts';
import { cadence, spreadOf } from './poll-schedule.ts';
import { readPollFacts } from './poll-store.ts';
import { type EventRow, findHead, readAfter, type StoredEventRow, useGenericPlans } from './store.ts';

type Payload = Record<string, unknown> | null;
type PayloadView = (payload: Payload) => Payload;

/**
 * Returns how personal data from the directory is shown: masked if the tenant masks it for everyone or the caller sees
 * only masked data. Decided at each read, so that a change applies at once to everything that was ever published, and
 * the original documents remain as evidence.
 */
export async function directoryView(
  tx: Transaction,
  { tenantId, personalData }: AnyPrincipal,
): Promise<AnyPrincipal['personalData']> {
  const { fundsRecovery } = await readSettings(tx, tenantId);
  const { rawPayload } = fundsRecovery;
  return rawPayload === 'masked' ? 'masked' : personalData;
}

/** Returns how payloads are shown: complete, or with personal data masked. */
export async function payloadView(tx: Transaction, principal: AnyPrincipal): Promise<PayloadView> {
  return (await directoryView(tx, principal)) === 'masked' ? maskPersonalData : (payload) => payload;
}

/** Presents an event, in the feed and in the timeline of its recovery. */
export function toEvent(row: EventRow, environment: Environment, show: PayloadView) {
  return {
    eventId: row.eventId,
    environment,
    fundsRecoveryId: row.fundsRecoveryId,
    eventType: row.eventType,
    status: row.status,
    timestamp: row.occurredAt,
    rawPayload: show(row.rawPayload),
  };
}

/** Size of its payloads at which a page also ends, so that a response stays small whatever the directory sent. */
const MAX_PAGE_BYTES = 1024 * 1024;

/**
 * Selects the rows of one page from rows that were read with `limit + 1`. The page has at least one row, so that a
 * reader always makes progress.
 */
export function cutPage(
  rows: readonly StoredEventRow[],
  limit: number,
): { readonly page: readonly EventRow[]; readonly hasMore: boolean } {
  let bytes = 0;
  const end = rows
    .slice(0, limit)
    .findIndex(({ payload }, index) => (bytes += Buffer.byteLength(payload ?? '')) > MAX_PAGE_BYTES && index > 0);
  const page = rows.slice(0, end === -1 ? limit : end).map(
    ({ payload, ...row }): EventRow => ({
      ...row,
      rawPayload: payload === null ? null : (JSON.parse(payload) as Record<string, unknown>),
    }),
  );
  return { page, hasMore: rows.length > page.length };
}

interface FeedRequest {
  readonly consumer: Consumer;
  /** If the cursor is absent or empty, the page starts at the oldest event that the consumer has not acknowledged. */
  readonly cursor: string | undefined;
  readonly limit: number;
  readonly now: RealTime;
  /** Clock of the environment, by which recoveries become urgent. */
  readonly businessTime: BusinessTime;
}

interface FeedPage {
  readonly events: readonly EventRow[];
  readonly cursor: string | null;
  readonly hasMore: boolean;
  readonly pollSeconds: number;
}

/**
 * Reads one page. Presenting a cursor acknowledges everything up to it, for this consumer; receiving a page
 * acknowledges nothing. A cursor is rejected before anything is written.
 */
export async function readFeed(
  tx: Transaction,
  cursors: FeedCursors,
  { consumer, cursor, limit, now, businessTime }: FeedRequest,
): Promise<FeedPage> {
  const feed = { tenantId: consumer.tenantId, environment: consumer.environment };
  const presented = cursor ? cursors.decode(consumer, cursor) : null;
  void tx.run(useGenericPlans, {});
  const [heads, acknowledged, pollFacts] = await Promise.all([
    tx.run(findHead, feed),
    tx.run(findAcknowledged, { ...feed, consumerId: consumer.id }),
    readPollFacts(tx, consumer.tenantId, consumer.environment, businessTime),
  ]);
  const head = heads[0]!;
  if (presented !== null) assertPositionAvailable(presented, head);
  const known = acknowledged[0]?.generation === head.generation ? acknowledged[0].ackedSeq : 0;
  const from = presented?.sequence ?? Math.max(known, head.floorSeq);
  const [rows] = await Promise.all([
    tx.run(readAfter, { ...feed, seq: from, count: limit + 1 }),
    presented === null || isAcknowledged(acknowledged[0], head.generation, from, now)
      ? null
      : tx.run(acknowledge, {
          ...feed,
          consumerId: consumer.id,
          generation: head.generation,
          seq: from,
          now,
        }),
  ]);
  // Retention may have removed the next events since the head was read, so the present floor applies.
  if (presented !== null && rows[0] !== undefined && rows[0].seq > from + 1) throw cursorExpired();
  const { page, hasMore } = cutPage(rows, limit);
  const sequence = page.at(-1)?.seq ?? from;
  return {
    events: page,
    cursor: sequence === 0 ? null : cursors.encode(consumer, { generation: head.generation, sequence }),
    hasMore,
    pollSeconds: hasMore ? 0 : cadence(now, pollFacts, spreadOf(consumer.id)).seconds,
  };
}
