/** Statements that inspect and sample feeds for health.ts. They read a bounded window and change nothing. */
import type { BusinessTime } from '../../base/time.ts';
import { sql, statement } from '../../database/index.ts';
import type { FeedSample, FeedWindow } from './feed-alarm.ts';
import { type FeedKey, ofFeed, retentionDays } from './store.ts';
import { consumer, event, feed } from './tables.ts';

/** Number of events that one check examines, because the whole of an old feed would be millions of rows an hour. */
const windowSize = 10_000;

/**
 * Counts the events of a window.
 *
 * @param at where the window lies between floor and head, from 0 to 1
 */
export const inspectWindow = statement<FeedKey & { at: number }, FeedWindow>(
  'feed.window',
  (p) => sql`
  WITH spot AS (
    SELECT last_seq,
      floor_seq + 1 + floor(${p.at}::float8 * greatest(0, last_seq - floor_seq - ${windowSize}))::bigint AS start
    FROM fr_feed WHERE ${feed.equal(ofFeed(p))}
  )
  SELECT start AS from, least(${windowSize}, last_seq - start + 1) AS expected, (
    SELECT count(*) FROM fr_event WHERE ${event.equal(ofFeed(p))} AND seq >= start AND seq < start + ${windowSize}
  ) AS found
  FROM spot`,
);

/** Samples the feeds. A consumer's oldest unacknowledged event comes right after its acknowledged position. */
export const sampleFeed = statement<FeedKey & { businessTime: BusinessTime }, FeedSample>(
  'feed.sample',
  (p) => sql`
  SELECT coalesce((
    SELECT extract(epoch FROM now() - min(e.received_at))
    FROM fr_consumer c JOIN fr_feed f USING (tenant_id, env)
    JOIN fr_event e ON e.tenant_id = c.tenant_id AND e.env = c.env
      AND e.seq = greatest(f.floor_seq, CASE WHEN c.generation = f.generation THEN c.acked_seq ELSE 0 END) + 1
    WHERE ${consumer.as('c').equal(ofFeed(p))}
      AND c.last_polled_at > now() - ${retentionDays.active} * interval '1 day'
  ), 0)::float8 AS "oldestUnacknowledgedSeconds", (
    SELECT count(*) FROM fr_record WHERE tenant_id = ${p.tenantId} AND env = ${p.environment}
      AND status NOT IN ('COMPLETED', 'CANCELLED')
      AND next_deadline_at > ${p.businessTime}::timestamptz
      AND next_deadline_at <= ${p.businessTime}::timestamptz + interval '12 hours'
  )::integer AS "deadlinesSoon"`,
);
