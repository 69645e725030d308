/**
 * Statements that delete and erase rows of the feed, the records and the inbox. Used by purge.ts and erase-payloads.ts.
 * The database refuses to delete live rows that are too young, whatever these statements say.
 */
import type { BusinessTime, RealTime } from '../../base/time.ts';
import type { Environment } from '../../contract/operation.ts';
import { type Fragment, knex, type ParametersOf, type RowOf, sql, statement } from '../../database/index.ts';
import { record } from '../recoveries/index.ts';
import { consumer, event, feed, purgeBatch, recovery, retentionDays } from '../recovery-feed/index.ts';
import { inbox } from '../recovery-ingestion/index.ts';

type Feed = { tenantId: string; environment: Environment };

const ofFeed = (p: ParametersOf<Feed>) => ({ tenantId: p.tenantId, environment: p.environment });

const daysAgo = (count: number): Fragment => sql`now() - ${count} * interval '1 day'`;

/**
 * Moves the floor over the longest run of expired events, at most one batch, so that the sequence stays dense from the
 * floor. A consumer that has not read the present generation yet has acknowledged nothing of it.
 */
export const raiseFloor = statement<Feed, { floorSeq: number }>(
  'retention.raiseFloor',
  (p) => sql`
  WITH waiting AS (
    SELECT min(CASE WHEN c.generation = f.generation THEN c.acked_seq ELSE 0 END) AS acked
    FROM fr_consumer c JOIN fr_feed f USING (tenant_id, env)
    WHERE ${consumer.as('c').equal(ofFeed(p))} AND c.last_polled_at > ${daysAgo(retentionDays.active)}
  ), oldest AS (
    SELECT e.seq, e.received_at >= ${daysAgo(retentionDays.keptAtMost)}
      AND (e.received_at >= ${daysAgo(retentionDays.kept)} OR e.seq > coalesce(w.acked, e.seq)) AS stays
    FROM fr_event e CROSS JOIN waiting w
    WHERE ${event.as('e').equal(ofFeed(p))} AND e.seq > (SELECT floor_seq FROM fr_feed WHERE ${feed.equal(ofFeed(p))})
    ORDER BY e.seq LIMIT ${purgeBatch}
  )
  UPDATE fr_feed SET floor_seq = due.floor
  FROM (SELECT coalesce(min(seq) FILTER (WHERE stays) - 1, max(seq)) AS floor FROM oldest) due
  WHERE ${feed.equal(ofFeed(p))} AND due.floor > floor_seq
  RETURNING ${feed.select('floorSeq')}`,
);

/**
 * Deletes the events below the floor, including those that an interrupted round has left. Returns the recoveries of the
 * deleted events.
 */
export const removeEvents = statement<Feed, { id: string; events: number }>(
  'retention.removeEvents',
  (p) => sql`
  WITH gone AS (
    DELETE FROM fr_event WHERE ${event.equal(ofFeed(p))} AND seq <= least(
      (SELECT floor_seq FROM fr_feed WHERE ${feed.equal(ofFeed(p))}),
      (SELECT min(seq) FROM fr_event WHERE ${event.equal(ofFeed(p))}) + ${purgeBatch - 1})
    RETURNING funds_recovery_id
  )
  SELECT funds_recovery_id AS id, count(*)::integer AS events FROM gone GROUP BY funds_recovery_id`,
);

/** Keeps recoveries that have not ended, because the directory may still send changes. */
const removeEnded = (table: typeof record | typeof recovery) =>
  statement<Feed & { ids: string }>(
    `retention.remove.${table.name}`,
    (p) => sql`
  DELETE FROM ${knex.raw(table.name)} r WHERE ${table.as('r').equal(ofFeed(p))}
    AND r.status IN ('COMPLETED', 'CANCELLED')
    AND r.funds_recovery_id IN (SELECT jsonb_array_elements_text(${p.ids}::jsonb)::uuid)
    AND NOT EXISTS (SELECT FROM fr_event e WHERE e.tenant_id = r.tenant_id AND e.env = r.env
      AND e.funds_recovery_id = r.funds_recovery_id)`,
  );

export const removeRecords = removeEnded(record);
export const removeRecoveries = removeEnded(recovery);

/**
 * Deletes pages. The clock of the service may be ahead of the database's, which refuses to delete rows that are too
 * recent by its own clock.
 */
export const removePages = statement<Feed & { before: BusinessTime }>(
  'retention.removePages',
  (p) => sql`
  DELETE FROM dict_inbox WHERE ${inbox.equal(ofFeed(p))}
    AND received_at < least(${p.before}::timestamptz, CASE WHEN env = 'live' THEN ${daysAgo(retentionDays.kept)}
      ELSE 'infinity' END)
    AND received_at <= coalesce((
      SELECT received_at FROM dict_inbox WHERE ${inbox.equal(ofFeed(p))} ORDER BY received_at OFFSET ${purgeBatch - 1}
        LIMIT 1), 'infinity')`,
);

type ErasedRecovery = Feed & { id: string };

const erasable = record.select('snapshot', 'createdAt', 'updatedAt', 'erasedAt');
export type ErasableRecord = RowOf<typeof erasable>;

export const lockRecord = statement<ErasedRecovery, ErasableRecord>(
  'payload.lockRecord',
  (p) => sql`
  SELECT ${erasable} FROM fr_record WHERE ${record.equal({ ...ofFeed(p), id: p.id })} FOR UPDATE`,
);

export const eraseRecord = statement<ErasedRecovery & { snapshot: ErasableRecord['snapshot']; now: RealTime }>(
  'payload.eraseRecord',
  (p) => sql`
  UPDATE fr_record
    SET ${record.assign({ snapshot: p.snapshot, erasedAt: sql`coalesce(erased_at, ${p.now}::timestamptz)` })}
  WHERE ${record.equal({ ...ofFeed(p), id: p.id })}`,
  { expectRows: 1 },
);

/** Erases the payloads. The events themselves keep their sequence numbers. */
export const eraseEvents = statement<ErasedRecovery>(
  'payload.eraseEvents',
  (p) => sql`
  UPDATE fr_event SET raw_payload = NULL
  WHERE ${event.equal({ ...ofFeed(p), fundsRecoveryId: p.id })} AND raw_payload IS NOT NULL`,
);

/** Erases pages that name the recovery. Its identifier is ASCII, and the escape format preserves ASCII in any bytes. */
export const eraseInbox = statement<ErasedRecovery & { from: Date; to: Date }>(
  'payload.eraseInbox',
  (p) => sql`
  UPDATE dict_inbox SET xml = NULL
  WHERE ${inbox.equal(ofFeed(p))} AND received_at BETWEEN ${p.from}::timestamptz AND ${p.to}::timestamptz
    AND xml IS NOT NULL
    AND position(lower(${p.id}::text) IN lower(encode(xml, 'escape'))) > 0`,
);
