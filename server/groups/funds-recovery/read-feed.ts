import type { Transaction } from '../../database/index.ts';
import { Problem } from '../../http/problem.ts';
import type { Consumer, FeedCursors } from './feed-cursor.ts';
import { cutPage } from './page.ts';
import { pollInterval, pollWindows } from './poll-schedule.ts';
import { acknowledge, findAcknowledged, findHead, findOpenPhases, readAfter } from './store.ts';
import type { EventRow, FeedHead } from './store.ts';

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
  const [heads, acknowledged, phases] = await Promise.all([
    tx.run(findHead, feed),
    tx.run(findAcknowledged, { ...feed, consumer: consumer.id }),
    tx.run(findOpenPhases, { ...feed, ...windowsOf(businessTime) }),
  ]);
  const head = heads[0]!;
  if (presented !== null && isGone(presented, head)) throw new Problem('cursor_expired', { detail: 'Call again without a cursor.' });
  const known = acknowledged[0]?.generation === head.generation ? acknowledged[0].acked_seq : 0;
  const from = presented?.sequence ?? Math.max(known, head.floor_seq);
  const [rows] = await Promise.all([
    tx.run(readAfter, { ...feed, seq: from, count: limit + 1 }),
    presented === null ? null : tx.run(acknowledge, { ...feed, consumer: consumer.id, generation: head.generation, seq: from, now }),
  ]);
  const { page, hasMore } = cutPage(rows, limit);
  const sequence = page.at(-1)?.seq ?? from;
  const open = phases[0]!;
  return {
    events: page,
    cursor: sequence === 0 ? null : cursors.encode(consumer, { generation: head.generation, sequence }),
    hasMore,
    pollSeconds: pollInterval(now, { ...open, refundClosing: open.refund_closing }, hasMore, Math.random()),
  };
}

/** Of an older generation (reset or restore), purged by retention, or beyond what was ever published. */
function isGone(position: { generation: number; sequence: number }, head: FeedHead): boolean {
  return position.generation !== head.generation || position.sequence < head.floor_seq || position.sequence > head.last_seq;
}

function windowsOf(now: Date) {
  const { lastHour, day3, day7, limit72h } = pollWindows(now);
  return { lastHour, day3From: day3.from, day3To: day3.to, day7From: day7.from, day7To: day7.to, limit72h };
}
