import type { Transaction } from '../../database/index.ts';
import type { Consumer, FeedCursors } from './feed-cursor.ts';
import { cutPage } from './page.ts';
import { pollInterval } from './poll-schedule.ts';
import { assertStillThere, expired } from './presented.ts';
import { acknowledge, findAcknowledged, findHead, isAcknowledged, planOnce, readAfter } from './store.ts';
import type { EventRow } from './store.ts';
import { mostUrgent } from './urgent.ts';

export interface FeedRequest {
  readonly consumer: Consumer;
  /** Absent or empty: from the oldest event that the consumer has not acknowledged. */
  readonly cursor: string | undefined;
  readonly limit: number;
  readonly now: Date;
  /** The clock of the environment: by it recoveries become urgent. */
  readonly businessTime: Date;
}

export interface FeedPage {
  readonly events: readonly EventRow[];
  readonly cursor: string | null;
  readonly hasMore: boolean;
  readonly pollSeconds: number;
}

/**
 * One page. Presenting a cursor acknowledges everything up to it, for this consumer; receiving a page acknowledges
 * nothing. A cursor is refused before anything is written.
 */
export async function readFeed(tx: Transaction, cursors: FeedCursors, { consumer, cursor, limit, now, businessTime }: FeedRequest): Promise<FeedPage> {
  const feed = { tenantId: consumer.tenantId, env: consumer.environment };
  const presented = cursor ? cursors.decode(consumer, cursor) : null;
  void tx.run(planOnce, {});
  const [heads, acknowledged, urgent] = await Promise.all([
    tx.run(findHead, feed),
    tx.run(findAcknowledged, { ...feed, consumer: consumer.id }),
    mostUrgent(tx, consumer.tenantId, consumer.environment, businessTime),
  ]);
  const head = heads[0]!;
  if (presented !== null) assertStillThere(presented, head);
  const known = acknowledged[0]?.generation === head.generation ? acknowledged[0].acked_seq : 0;
  const from = presented?.sequence ?? Math.max(known, head.floor_seq);
  const [rows] = await Promise.all([
    tx.run(readAfter, { ...feed, seq: from, count: limit + 1 }),
    presented === null || isAcknowledged(acknowledged[0], head.generation, from, now) ? null
      : tx.run(acknowledge, { ...feed, consumer: consumer.id, generation: head.generation, seq: from, now }),
  ]);
  // Retention may have taken what follows since the head was read: it goes by the floor as it is now.
  if (presented !== null && rows[0] !== undefined && rows[0].seq > from + 1) throw expired();
  const { page, hasMore } = cutPage(rows, limit);
  const sequence = page.at(-1)?.seq ?? from;
  return {
    events: page,
    cursor: sequence === 0 ? null : cursors.encode(consumer, { generation: head.generation, sequence }),
    hasMore,
    pollSeconds: pollInterval(now, urgent?.urgency ?? null, hasMore, Math.random()),
  };
}
