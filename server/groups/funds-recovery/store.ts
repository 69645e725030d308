import type { components } from '../../contract/generated/types.ts';
import { knex, sql, statement } from '../../database/index.ts';

type Event = components['schemas']['FundsRecoveryEvent'];

type Feed = { tenantId: string; env: string };

/**
 * Has PostgreSQL plan the statements of this transaction once per connection. Those of a read have one good plan whatever
 * their values; the planner cannot know that of a limit or a time, and once a feed is large it takes planning for each call
 * to be cheaper: with a million events that took longer than everything else.
 */
export const planOnce = statement<Record<never, never>>('feed.planOnce', () => sql`SELECT set_config('plan_cache_mode', 'force_generic_plan', true)`);

const AHEAD = sql`(excluded.generation, excluded.acked_seq) > (known.generation, known.acked_seq)`;

export interface FeedHead {
  readonly generation: number;
  readonly last_seq: number;
  readonly floor_seq: number;
}

export const findHead = statement<Feed, FeedHead>('feed.head', (p) =>
  knex('fr_feed').select('generation', 'last_seq', 'floor_seq').where({ tenant_id: p.tenantId, env: p.env }));

export interface AcknowledgedRow {
  readonly generation: number;
  readonly acked_seq: number;
  readonly last_polled_at: string | null;
}

export const findAcknowledged = statement<Feed & { consumer: string }, AcknowledgedRow>('feed.acknowledged', (p) =>
  knex('fr_consumer').select('generation', 'acked_seq', 'last_polled_at').where({ tenant_id: p.tenantId, env: p.env, consumer_id: p.consumer }));

const HOUR = 3_600_000;

/**
 * Whether `acknowledge` would write nothing. Asked first, because it locks the row all the same, and a transaction that
 * has locked one waits for the disk at its end: most reads repeat their cursor and find nothing new. Positions never go
 * back, so what was so a moment ago still is.
 */
export function isAcknowledged(known: AcknowledgedRow | undefined, generation: number, seq: number, now: Date): boolean {
  return known !== undefined && known.generation === generation && known.acked_seq >= seq
    && known.last_polled_at !== null && now.getTime() - Date.parse(known.last_polled_at) <= HOUR;
}

/**
 * Moves a consumer forward, never back, and never from a younger generation of the feed to an older one: a read that
 * began before a reset may commit after it. Repeating a cursor writes nothing, but that the consumer is alive is noted
 * once an hour: retention waits for consumers that still poll. Of several that come at once only the one that moves it hears so.
 */
export const acknowledge = statement<Feed & { consumer: string; generation: number; seq: number; now: Date }, { moved: boolean }>('feed.acknowledge', (p) => sql`
  INSERT INTO fr_consumer AS known (tenant_id, env, consumer_id, generation, acked_seq, acked_at, last_polled_at)
  VALUES (${p.tenantId}::uuid, ${p.env}, ${p.consumer}, ${p.generation}::integer, ${p.seq}::bigint, ${p.now}::timestamptz, ${p.now}::timestamptz)
  ON CONFLICT (tenant_id, env, consumer_id) DO UPDATE SET
    acked_at = CASE WHEN ${AHEAD} THEN excluded.acked_at ELSE known.acked_at END,
    acked_seq = CASE WHEN ${AHEAD} THEN excluded.acked_seq ELSE known.acked_seq END,
    generation = greatest(known.generation, excluded.generation),
    last_polled_at = excluded.last_polled_at
  WHERE ${AHEAD} OR known.last_polled_at < excluded.last_polled_at - interval '1 hour'
  RETURNING acked_at = last_polled_at AS moved`);

export interface EventRow {
  readonly seq: number;
  readonly event_id: string;
  readonly funds_recovery_id: string;
  readonly event_type: string;
  readonly status: Event['status'];
  readonly occurred_at: string;
  readonly raw_payload: Record<string, unknown> | null;
}

/** With its payload as text: the length of a page counts, and asking PostgreSQL for it would have it write every payload twice. */
export interface StoredEventRow extends Omit<EventRow, 'raw_payload'> {
  readonly payload: string | null;
}

/** Raw, because Knex takes no placeholder for a limit. */
export const readAfter = statement<Feed & { seq: number; count: number }, StoredEventRow>('feed.readAfter', (p) => sql`
  SELECT seq, event_id, funds_recovery_id, event_type, status, occurred_at, raw_payload::text AS payload
  FROM fr_event WHERE tenant_id = ${p.tenantId}::uuid AND env = ${p.env} AND seq > ${p.seq}::bigint ORDER BY seq LIMIT ${p.count}::integer`);

/** What a consumer has acknowledged, and what is left. */
export interface PositionRow {
  readonly acknowledged_event_id: string | null;
  readonly acknowledged_at: string | null;
  readonly pending: number;
  readonly oldest_pending_at: string | null;
}

/** The sequence has no holes, so what is left need not be counted. Of another generation of the feed nothing was acknowledged. */
export const findPosition = statement<Feed & { consumer: string }, PositionRow>('feed.position', (p) => sql`
  WITH position AS (
    SELECT f.tenant_id, f.env, f.last_seq, greatest(f.floor_seq, coalesce(c.acked_seq, 0)) AS seq, c.acked_seq, c.acked_at
    FROM fr_feed f LEFT JOIN fr_consumer c
      ON c.tenant_id = f.tenant_id AND c.env = f.env AND c.generation = f.generation AND c.consumer_id = ${p.consumer}
    WHERE f.tenant_id = ${p.tenantId}::uuid AND f.env = ${p.env}
  )
  SELECT last.event_id AS acknowledged_event_id, acked_at AS acknowledged_at, last_seq - position.seq AS pending, next.received_at AS oldest_pending_at
  FROM position
    LEFT JOIN fr_event last ON last.tenant_id = position.tenant_id AND last.env = position.env AND last.seq = position.acked_seq
    LEFT JOIN fr_event next ON next.tenant_id = position.tenant_id AND next.env = position.env AND next.seq = position.seq + 1`);

export const findEventAt = statement<Feed & { seq: number }, { event_id: string }>('feed.eventAt', (p) =>
  knex('fr_event').select('event_id').where({ tenant_id: p.tenantId, env: p.env, seq: p.seq }));
