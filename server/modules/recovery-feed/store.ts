import { HOUR_MILLISECONDS } from '../../base/time.ts';
import type { Environment } from '../../contract/operation.ts';
import {
  type Fragment,
  joined,
  knex,
  type ParametersOf,
  type RowOf,
  sql,
  statement,
  type Transaction,
} from '../../database/index.ts';
import type { FeedSample, FeedWindow } from './feed-alarm.ts';
import { readSettings } from '../tenant-settings/index.ts';
import { type PollBasis, pollWindows, type Urgency } from './poll-schedule.ts';
import { consumer, event, feed, recovery } from './tables.ts';

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

type FeedKey = { tenantId: string; environment: Environment };
type ConsumerKey = FeedKey & { consumerId: string };

const ofFeed = (p: ParametersOf<FeedKey>) => ({ tenantId: p.tenantId, environment: p.environment });

/**
 * Makes PostgreSQL plan the statements of this transaction once per connection. Those of a read have one good plan
 * whatever their values. The planner cannot know that of a limit or a time, and once a feed is large it considers
 * planning each call cheaper: with a million events, planning took longer than everything else.
 */
export const useGenericPlans = statement<Record<never, never>>(
  'feed.planOnce',
  () => sql`SELECT set_config('plan_cache_mode', 'force_generic_plan', true)`,
);

const IS_FURTHER = sql`(excluded.generation, excluded.acked_seq) > (known.generation, known.acked_seq)`;

const head = feed.select('generation', 'lastSeq', 'floorSeq');
export type FeedHead = RowOf<typeof head>;

export const findHead = statement<FeedKey, FeedHead>(
  'feed.head',
  (p) => sql`SELECT ${head} FROM fr_feed WHERE ${feed.equal(ofFeed(p))}`,
);

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
  now: Date,
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
export const acknowledge = statement<ConsumerKey & { generation: number; seq: number; now: Date }, { moved: boolean }>(
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
    SELECT f.tenant_id, f.env, f.last_seq, greatest(f.floor_seq, coalesce(c.acked_seq, 0))
      AS seq, c.acked_seq, c.acked_at
    FROM fr_feed f LEFT JOIN fr_consumer c
      ON c.tenant_id = f.tenant_id AND c.env = f.env AND c.generation = f.generation AND c.consumer_id = ${p.consumerId}
    WHERE ${feed.as('f').equal(ofFeed(p))}
  )
  SELECT last.event_id AS "acknowledgedEventId", acked_at AS "acknowledgedAt", last_seq - position.seq
    AS "pendingCount", next.received_at AS "oldestUnacknowledgedAt"
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

const urgent = recovery.select('fundsRecoveryId', 'status', 'phaseBeganAt');

/** The open recovery that decides when to poll again. */
export interface MostUrgent extends RowOf<typeof urgent> {
  readonly urgency: Urgency;
}

type Windows = {
  lastHour: Date;
  day3From: Date;
  day3To: Date;
  day7From: Date;
  day7To: Date;
  limit72h: Date;
};

/**
 * Classes of urgency, the most urgent first. Each is one lookup in one partial index, so the cost does not grow with
 * the number of open recoveries.
 */
const urgencyClasses: readonly (readonly [Urgency, (p: ParametersOf<Windows>) => Fragment])[] = [
  ['fresh', (p) => sql`status IN ('CREATED', 'TRACKED') AND phase_began_at > ${p.lastHour}::timestamptz`],
  [
    'refund_closing',
    (p) => sql`
    status = 'ANALYSED' AND phase_began_at >= greatest(${p.day3From}::timestamptz, ${p.limit72h}::timestamptz)
      AND phase_began_at < ${p.day3To}::timestamptz`,
  ],
  ['hourly', (p) => sql`status = 'ANALYSED' AND phase_began_at >= ${p.day3To}::timestamptz`],
  [
    'hourly',
    (p) =>
      sql`status = 'AWAITING_ANALYSIS' AND phase_began_at >= ${p.day7From}::timestamptz
        AND phase_began_at < ${p.day7To}::timestamptz`,
  ],
  [
    'hourly',
    (p) =>
      sql`status = 'AWAITING_ANALYSIS' AND phase_began_at >= ${p.day3From}::timestamptz
        AND phase_began_at < ${p.day3To}::timestamptz`,
  ],
  ['hourly', () => sql`status IN ('CREATED', 'TRACKED', 'REFUNDING')`],
  ['open', () => sql`true`],
];

export const selectMostUrgent = statement<FeedKey & Windows, MostUrgent>(
  'feed.mostUrgent',
  (p) =>
    sql`${joined(
      urgencyClasses.map(
        ([urgency, condition], rank) => sql`(
    SELECT ${rank} AS rank, ${knex.raw(`'${urgency}'`)} AS urgency, ${urgent} FROM fr_recovery
    WHERE ${recovery.equal(ofFeed(p))} AND status NOT IN ('COMPLETED', 'CANCELLED') AND ${condition(p)}
    ORDER BY status, phase_began_at LIMIT 1)`,
      ),
      ' UNION ALL ',
    )} ORDER BY rank LIMIT 1`,
);

/**
 * Reads the other inputs of the cadence. Each is one lookup in a partial index, so the cost does not grow with the
 * number of recoveries.
 */
export const selectPollFacts = statement<
  FeedKey & { businessTime: Date },
  { receivesReports: boolean; nextDeadlineAt: string | null }
>(
  'feed.pollFacts',
  (p) => sql`
  SELECT EXISTS (SELECT FROM fr_record WHERE tenant_id = ${p.tenantId} AND env = ${p.environment} AND role <> 'SENT')
    AS "receivesReports", least((
    SELECT next_deadline_at FROM fr_record
    WHERE tenant_id = ${p.tenantId} AND env = ${p.environment} AND next_deadline_at > ${p.businessTime}::timestamptz
    ORDER BY next_deadline_at LIMIT 1), (
    SELECT next_notice_at FROM fr_record
    WHERE tenant_id = ${p.tenantId} AND env = ${p.environment} AND next_notice_at > ${p.businessTime}::timestamptz
    ORDER BY next_notice_at LIMIT 1)) AS "nextDeadlineAt"`,
);

/** The most urgent open recovery, and the other inputs of the cadence. */
export interface PollFacts extends PollBasis {
  readonly mostUrgent: MostUrgent | null;
}

/**
 * Sends its statements at once, so that they travel with those of the caller. The settings can declare that the tenant
 * receives reports before the first one is recorded.
 */
export async function readPollFacts(
  tx: Transaction,
  tenantId: string,
  environment: Environment,
  businessTime: Date,
): Promise<PollFacts> {
  const { lastHour, day3, day7, limit72h } = pollWindows(businessTime);
  const windows = {
    lastHour,
    day3From: day3.from,
    day3To: day3.to,
    day7From: day7.from,
    day7To: day7.to,
    limit72h,
  };
  const [[mostUrgent = null], [facts], { fundsRecovery }] = await Promise.all([
    tx.run(selectMostUrgent, { tenantId, environment, ...windows }),
    tx.run(selectPollFacts, { tenantId, environment, businessTime }),
    readSettings(tx, tenantId),
  ]);
  return {
    businessTime,
    mostUrgent,
    urgency: mostUrgent?.urgency ?? null,
    nextDeadlineAt: facts?.nextDeadlineAt ?? null,
    receivesReports: fundsRecovery.receivesReports || facts?.receivesReports === true,
  };
}

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
    SELECT last_seq, floor_seq + 1 + floor(${p.at}::float8 * greatest(0, last_seq - floor_seq - ${windowSize}))::bigint
      AS start
    FROM fr_feed WHERE ${feed.equal(ofFeed(p))}
  )
  SELECT start AS from, least(${windowSize}, last_seq - start + 1) AS expected, (
    SELECT count(*) FROM fr_event WHERE ${event.equal(ofFeed(p))} AND seq >= start AND seq < start + ${windowSize})
      AS found
  FROM spot`,
);

/** Samples the feeds. A consumer's oldest unacknowledged event comes right after its acknowledged position. */
export const sampleFeed = statement<FeedKey & { businessTime: Date }, FeedSample>(
  'feed.sample',
  (p) => sql`
  SELECT coalesce((
    SELECT extract(epoch FROM now() - min(e.received_at))
    FROM fr_consumer c JOIN fr_feed f USING (tenant_id, env)
    JOIN fr_event e ON e.tenant_id = c.tenant_id AND e.env = c.env
      AND e.seq = greatest(f.floor_seq, CASE WHEN c.generation = f.generation THEN c.acked_seq ELSE 0 END) + 1
    WHERE ${consumer.as('c').equal(ofFeed(p))}
      AND c.last_polled_at > now() - ${retentionDays.active} * interval '1 day'), 0)::float8
      AS "oldestUnacknowledgedSeconds", (
    SELECT count(*) FROM fr_record WHERE tenant_id = ${p.tenantId} AND env = ${p.environment}
      AND status NOT IN ('COMPLETED', 'CANCELLED')
      AND next_deadline_at > ${p.businessTime}::timestamptz
        AND next_deadline_at <= ${p.businessTime}::timestamptz + interval '12 hours')::integer AS "deadlinesSoon"`,
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
    FROM jsonb_to_recordset(${p.events}::jsonb)
      AS given ("eventId" text, "fundsRecoveryId" uuid, "eventType" text, status text,
      "occurredAt" timestamptz, "dedupeKey" text, "rawPayload" jsonb, rank integer)
    WHERE NOT EXISTS (SELECT FROM fr_event e
      WHERE ${event.as('e').equal(ofFeed(p))} AND e.dedupe_key = given."dedupeKey")
    ORDER BY "dedupeKey", "occurredAt"
  ), appended AS (
    INSERT INTO fr_event
      (${event.list('tenantId', 'environment', 'seq', 'eventId', 'fundsRecoveryId', 'eventType', 'status', 'occurredAt', 'dedupeKey', 'rawPayload')})
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
  // A reader never returns to a sequence number that it has read, so an event that was visible
  // once must survive a crash.
  { durable: true },
);
