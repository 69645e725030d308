/**
 * Statements on the head and the events of a feed, and the periods of retention. Used by the other files of this module
 * and, through the index, by retention and recoveries. Only `appendEvents` adds events, under `lockHead`.
 */
import type { Environment } from '../../contract/operation.ts';
import { type Fragment, type ParametersOf, type RowOf, sql, statement } from '../../database/index.ts';
import { event, feed } from './tables.ts';

/** Retention periods in days. The database refuses to delete live rows younger than `kept` (schema/retention.ts). */
export const retentionDays = {
  /** Events are kept for this period, and longer until every consumer that still polls has acknowledged them. */
  kept: 400,
  /**
   * Upper bound of the retention, because a consumer that stopped reading must not prevent the deletion of personal
   * data.
   */
  keptAtMost: 800,
  /** Retention does not wait for a consumer that presented no cursor for this period. */
  active: 90,
  /** Pages of a sandbox's directory are no evidence, so they are kept only briefly. */
  sandboxPages: 7,
} as const;

/** Batch size of deletions, so that a purge of millions holds no lock for long. */
export const purgeBatch = 1_000;

export type FeedKey = { tenantId: string; environment: Environment };

export const ofFeed = (p: ParametersOf<FeedKey>) => ({ tenantId: p.tenantId, environment: p.environment });

/**
 * Makes PostgreSQL plan the statements of this transaction once per connection. Those of a read have one good plan
 * whatever their values. The planner cannot know that of a limit or a time, and once a feed is large it considers
 * planning each call cheaper: with a million events, planning took longer than everything else.
 */
export const useGenericPlans = statement<Record<never, never>>(
  'feed.planOnce',
  () => sql`SELECT set_config('plan_cache_mode', 'force_generic_plan', true)`,
);

const head = feed.select('generation', 'lastSeq', 'floorSeq');
export type FeedHead = RowOf<typeof head>;

export const findHead = statement<FeedKey, FeedHead>(
  'feed.head',
  (p) => sql`SELECT ${head} FROM fr_feed WHERE ${feed.equal(ofFeed(p))}`,
);

const shown = event.select('seq', 'eventId', 'fundsRecoveryId', 'eventType', 'status', 'occurredAt');

export interface EventRow extends RowOf<typeof shown> {
  readonly rawPayload: Record<string, unknown> | null;
}

/**
 * Columns of an event with its payload as text, because the length of a page is measured, and measuring in PostgreSQL
 * would make it serialise every payload twice.
 */
export const storedEvent = sql`${shown}, raw_payload::text AS payload`;
export interface StoredEventRow extends RowOf<typeof shown> {
  readonly payload: string | null;
}

export const readAfter = statement<FeedKey & { seq: number; count: number }, StoredEventRow>(
  'feed.readAfter',
  (p) => sql`
  SELECT ${storedEvent} FROM fr_event WHERE ${event.equal(ofFeed(p))} AND seq > ${p.seq}::bigint ORDER BY seq
    LIMIT ${p.count}::integer`,
);

export const lockHead = statement<FeedKey, Pick<FeedHead, 'lastSeq'>>(
  'feed.lockHead',
  (p) => sql`
  SELECT ${feed.select('lastSeq')} FROM fr_feed WHERE ${feed.equal(ofFeed(p))} FOR UPDATE`,
);

/** CREATED, TRACKED and AWAITING_ANALYSIS are one phase, because their deadlines all count from the creation. */
const phaseOf = (column: Fragment) =>
  sql`CASE WHEN ${column} IN ('CREATED', 'TRACKED', 'AWAITING_ANALYSIS') THEN 'OPENING' ELSE ${column} END`;

export const appendEvents = statement<FeedKey & { lastSeq: number; events: string }, { published: number }>(
  'feed.append',
  (p) => sql`
  WITH fresh AS (
    SELECT DISTINCT ON ("dedupeKey") given.*
    FROM jsonb_to_recordset(${p.events}::jsonb) AS given (
      "eventId" text, "fundsRecoveryId" uuid, "eventType" text, status text,
      "occurredAt" timestamptz, "dedupeKey" text, "rawPayload" jsonb, rank integer)
    WHERE NOT EXISTS (SELECT FROM fr_event e
      WHERE ${event.as('e').equal(ofFeed(p))} AND e.dedupe_key = given."dedupeKey")
    ORDER BY "dedupeKey", "occurredAt"
  ), appended AS (
    INSERT INTO fr_event (${event.list(
      'tenantId',
      'environment',
      'seq',
      'eventId',
      'fundsRecoveryId',
      'eventType',
      'status',
      'occurredAt',
      'dedupeKey',
      'rawPayload',
    )})
    SELECT ${p.tenantId}::uuid, ${p.environment},
      ${p.lastSeq}::bigint + row_number() OVER (ORDER BY "occurredAt", rank, "dedupeKey"),
      "eventId", "fundsRecoveryId", "eventType", status, "occurredAt", "dedupeKey", nullif("rawPayload", 'null'::jsonb)
    FROM fresh
    RETURNING seq, funds_recovery_id, status, occurred_at
  ), head AS (
    UPDATE fr_feed SET last_seq = last_seq + (SELECT count(*) FROM appended) WHERE ${feed.equal(ofFeed(p))}
  ), latest AS (
    SELECT DISTINCT ON (funds_recovery_id) funds_recovery_id, status,
      min(occurred_at) OVER (PARTITION BY funds_recovery_id, ${phaseOf(sql`status`)}) AS phase_began_at
    FROM appended ORDER BY funds_recovery_id, seq DESC
  ), recovery AS (
    INSERT INTO fr_recovery AS known (tenant_id, env, funds_recovery_id, status, phase_began_at)
    SELECT ${p.tenantId}::uuid, ${p.environment}, funds_recovery_id, status, phase_began_at FROM latest
    ON CONFLICT (tenant_id, env, funds_recovery_id) DO UPDATE SET
      status = excluded.status,
      phase_began_at = CASE WHEN ${phaseOf(sql`excluded.status`)} = ${phaseOf(sql`known.status`)}
        THEN known.phase_began_at ELSE excluded.phase_began_at END
  )
  SELECT count(*) AS published FROM appended`,
  // A reader never returns to a sequence number that it has read, so an event that was visible once must survive a
  // crash.
  { durable: true },
);
