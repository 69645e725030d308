/**
 * Statements on the positions of consumers. Used by consumer.ts and read-feed.ts. A position only moves forward; moving
 * it back would deliver events twice, and moving it too far would lose them.
 */
import { HOUR_MILLISECONDS, type RealTime } from '../../base/time.ts';
import { type RowOf, sql, statement } from '../../database/index.ts';
import { type EventRow, type FeedKey, ofFeed } from './store.ts';
import { consumer, event, feed } from './tables.ts';

type ConsumerKey = FeedKey & { consumerId: string };

const IS_FURTHER = sql`(excluded.generation, excluded.acked_seq) > (known.generation, known.acked_seq)`;

const acknowledged = consumer.select('generation', 'ackedSeq', 'lastPolledAt');
type AcknowledgedRow = RowOf<typeof acknowledged>;

export const findAcknowledged = statement<ConsumerKey, AcknowledgedRow>(
  'feed.acknowledged',
  (p) => sql`
  SELECT ${acknowledged} FROM fr_consumer WHERE ${consumer.equal({ ...ofFeed(p), consumerId: p.consumerId })}`,
);

/**
 * Returns whether `acknowledge` would write nothing. Checked first, because `acknowledge` locks the row in any case,
 * and a transaction that has locked a row waits for the disk at its end; most reads repeat their cursor and find
 * nothing new. Positions never go back, so the answer stays valid.
 */
export function isAcknowledged(
  known: AcknowledgedRow | undefined,
  generation: number,
  seq: number,
  now: RealTime,
): boolean {
  return (
    known !== undefined &&
    known.generation === generation &&
    known.ackedSeq >= seq &&
    known.lastPolledAt !== null &&
    now.getTime() - Date.parse(known.lastPolledAt) <= HOUR_MILLISECONDS
  );
}

/**
 * Moves a consumer forward, never back, and never from a newer generation of the feed to an older one, because a read
 * that began before a reset may commit after it. Repeating a cursor writes nothing, except that once an hour the
 * consumer is recorded as alive, because retention waits for consumers that still poll. Of several simultaneous calls
 * only the one that moves the consumer returns `moved`.
 */
export const acknowledge = statement<
  ConsumerKey & { generation: number; seq: number; now: RealTime },
  { moved: boolean }
>(
  'feed.acknowledge',
  (p) => sql`
  INSERT INTO fr_consumer AS known (tenant_id, env, consumer_id, generation, acked_seq, acked_at, last_polled_at)
  VALUES (${p.tenantId}::uuid, ${p.environment}, ${p.consumerId}, ${p.generation}::integer, ${p.seq}::bigint,
    ${p.now}::timestamptz, ${p.now}::timestamptz)
  ON CONFLICT (tenant_id, env, consumer_id) DO UPDATE SET
    acked_at = CASE WHEN ${IS_FURTHER} THEN excluded.acked_at ELSE known.acked_at END,
    acked_seq = CASE WHEN ${IS_FURTHER} THEN excluded.acked_seq ELSE known.acked_seq END,
    generation = greatest(known.generation, excluded.generation),
    last_polled_at = excluded.last_polled_at
  WHERE ${IS_FURTHER} OR known.last_polled_at < excluded.last_polled_at - interval '1 hour'
  RETURNING acked_at = last_polled_at AS moved`,
);

/** Acknowledged position of a consumer, and the number of pending events. */
export interface PositionRow {
  readonly acknowledgedEventId: string | null;
  readonly acknowledgedAt: string | null;
  readonly pendingCount: number;
  readonly oldestUnacknowledgedAt: string | null;
}

/**
 * Reads a position. The sequence has no holes, so pending events need not be counted. In a new generation of the feed
 * nothing is acknowledged.
 */
export const findPosition = statement<ConsumerKey, PositionRow>(
  'feed.position',
  (p) => sql`
  WITH position AS (
    SELECT f.tenant_id, f.env, f.last_seq, greatest(f.floor_seq, coalesce(c.acked_seq, 0)) AS seq,
      c.acked_seq, c.acked_at
    FROM fr_feed f LEFT JOIN fr_consumer c
      ON c.tenant_id = f.tenant_id AND c.env = f.env AND c.generation = f.generation AND c.consumer_id = ${p.consumerId}
    WHERE ${feed.as('f').equal(ofFeed(p))}
  )
  SELECT last.event_id AS "acknowledgedEventId", acked_at AS "acknowledgedAt",
    last_seq - position.seq AS "pendingCount", next.received_at AS "oldestUnacknowledgedAt"
  FROM position
    LEFT JOIN fr_event last ON last.tenant_id = position.tenant_id AND last.env = position.env
      AND last.seq = position.acked_seq
    LEFT JOIN fr_event next ON next.tenant_id = position.tenant_id AND next.env = position.env
      AND next.seq = position.seq + 1`,
);

export const findEventAt = statement<FeedKey & { seq: number }, Pick<EventRow, 'eventId'>>(
  'feed.eventAt',
  (p) => sql`
  SELECT ${event.select('eventId')} FROM fr_event WHERE ${event.equal({ ...ofFeed(p), seq: p.seq })}`,
);
