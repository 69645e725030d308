import { sql, statement } from '../../../database/index.ts';
import { terms } from '../retention/terms.ts';
import type { FeedSample, Window } from './feed-alarm.ts';

type Feed = { tenantId: string; env: string };

/** How many places of a feed one check looks at: the whole of an old one would be millions of rows an hour. */
const places = 10_000;

/** @param at where the window lies between floor and head, from 0 to 1 */
export const findWindow = statement<Feed & { at: number }, Window>('feed.window', (p) => sql`
  WITH spot AS (
    SELECT last_seq, floor_seq + 1 + floor(${p.at}::float8 * greatest(0, last_seq - floor_seq - ${places}))::bigint AS start
    FROM fr_feed WHERE tenant_id = ${p.tenantId}::uuid AND env = ${p.env}
  )
  SELECT start AS from, least(${places}, last_seq - start + 1) AS expected, (
    SELECT count(*) FROM fr_event WHERE tenant_id = ${p.tenantId}::uuid AND env = ${p.env} AND seq >= start AND seq < start + ${places}) AS found
  FROM spot`);

/** A consumer's oldest event stands right after what it has acknowledged. */
export const sampleFeed = statement<Feed & { businessTime: Date }, FeedSample>('feed.sample', (p) => sql`
  SELECT coalesce((
    SELECT extract(epoch FROM now() - min(e.received_at))
    FROM fr_consumer c JOIN fr_feed f USING (tenant_id, env)
    JOIN fr_event e ON e.tenant_id = c.tenant_id AND e.env = c.env
      AND e.seq = greatest(f.floor_seq, CASE WHEN c.generation = f.generation THEN c.acked_seq ELSE 0 END) + 1
    WHERE c.tenant_id = ${p.tenantId}::uuid AND c.env = ${p.env} AND c.last_polled_at > now() - ${terms.active} * interval '1 day'), 0)::float8 AS "oldestUnacknowledgedSeconds", (
    SELECT count(*) FROM fr_record WHERE tenant_id = ${p.tenantId}::uuid AND env = ${p.env} AND status NOT IN ('COMPLETED', 'CANCELLED')
      AND next_deadline_at > ${p.businessTime}::timestamptz AND next_deadline_at <= ${p.businessTime}::timestamptz + interval '12 hours')::integer AS "deadlinesSoon"`);
