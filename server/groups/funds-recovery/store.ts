import type { components } from '../../contract/generated/types.ts';
import { statement } from '../../database/index.ts';

type Event = components['schemas']['FundsRecoveryEvent'];

type Feed = { tenantId: string; env: string };

const AHEAD = '(excluded.generation, excluded.acked_seq) > (known.generation, known.acked_seq)';

export interface FeedHead {
  readonly generation: number;
  readonly last_seq: number;
  readonly floor_seq: number;
}

export const findHead = statement<Feed, FeedHead>('feed.head', (knex, p) =>
  knex('fr_feed').select('generation', 'last_seq', 'floor_seq').where({ tenant_id: p.tenantId, env: p.env }));

export const findAcknowledged = statement<Feed & { consumer: string }, { generation: number; acked_seq: number }>('feed.acknowledged', (knex, p) =>
  knex('fr_consumer').select('generation', 'acked_seq').where({ tenant_id: p.tenantId, env: p.env, consumer_id: p.consumer }));

/**
 * Moves a consumer forward, never back, and never from a younger generation of the feed to an older one: a read that
 * began before a reset may commit after it. Repeating a cursor writes nothing, but that the consumer is alive is noted
 * once an hour: retention waits for consumers that still poll.
 */
export const acknowledge = statement<Feed & { consumer: string; generation: number; seq: number; now: Date }>('feed.acknowledge', (knex, p) => knex.raw(`
  INSERT INTO fr_consumer AS known (tenant_id, env, consumer_id, generation, acked_seq, acked_at, last_polled_at)
  VALUES (?::uuid, ?, ?, ?::integer, ?::bigint, ?::timestamptz, ?::timestamptz)
  ON CONFLICT (tenant_id, env, consumer_id) DO UPDATE SET
    acked_at = CASE WHEN ${AHEAD} THEN excluded.acked_at ELSE known.acked_at END,
    acked_seq = CASE WHEN ${AHEAD} THEN excluded.acked_seq ELSE known.acked_seq END,
    generation = greatest(known.generation, excluded.generation),
    last_polled_at = excluded.last_polled_at
  WHERE ${AHEAD} OR known.last_polled_at < excluded.last_polled_at - interval '1 hour'`,
  [p.tenantId, p.env, p.consumer, p.generation, p.seq, p.now, p.now]));

export interface EventRow {
  readonly seq: number;
  readonly event_id: string;
  readonly funds_recovery_id: string;
  readonly event_type: string;
  readonly status: Event['status'];
  readonly occurred_at: string;
  readonly raw_payload: Record<string, unknown> | null;
  readonly payload_bytes: number;
}

/** Raw, because Knex takes no placeholder for a limit. */
export const readAfter = statement<Feed & { seq: number; count: number }, EventRow>('feed.readAfter', (knex, p) => knex.raw(`
  SELECT seq, event_id, funds_recovery_id, event_type, status, occurred_at, raw_payload,
    coalesce(octet_length(raw_payload::text), 0) AS payload_bytes
  FROM fr_event WHERE tenant_id = ?::uuid AND env = ? AND seq > ?::bigint ORDER BY seq LIMIT ?::integer`,
  [p.tenantId, p.env, p.seq, p.count]));

export interface OpenPhasesRow {
  readonly fresh: boolean;
  readonly refund_closing: boolean;
  readonly hourly: boolean;
  readonly open: boolean;
}

type Windows = { lastHour: Date; day3From: Date; day3To: Date; day7From: Date; day7To: Date; limit72h: Date };

/** Four questions to one partial index, so the answer costs the same however many recoveries are open. */
export const findOpenPhases = statement<Feed & Windows, OpenPhasesRow>('feed.openPhases', (knex, p) => {
  const exists = (condition: string) =>
    `EXISTS (SELECT FROM fr_recovery WHERE tenant_id = ?::uuid AND env = ? AND status NOT IN ('COMPLETED', 'CANCELLED') AND (${condition}))`;
  return knex.raw(`
    SELECT
      ${exists(`status IN ('CREATED', 'TRACKED') AND phase_began_at > ?::timestamptz`)} AS fresh,
      ${exists(`status = 'ANALYSED' AND phase_began_at >= greatest(?::timestamptz, ?::timestamptz) AND phase_began_at < ?::timestamptz`)} AS refund_closing,
      ${exists(`status IN ('CREATED', 'TRACKED', 'REFUNDING')
        OR status = 'AWAITING_ANALYSIS' AND (phase_began_at >= ?::timestamptz AND phase_began_at < ?::timestamptz
          OR phase_began_at >= ?::timestamptz AND phase_began_at < ?::timestamptz)
        OR status = 'ANALYSED' AND phase_began_at >= ?::timestamptz`)} AS hourly,
      ${exists('true')} AS open`,
    [p.tenantId, p.env, p.lastHour,
      p.tenantId, p.env, p.day3From, p.limit72h, p.day3To,
      p.tenantId, p.env, p.day3From, p.day3To, p.day7From, p.day7To, p.day3To,
      p.tenantId, p.env]);
});
