import { type Fragment, knex, sql, statement } from '../../database/index.ts';
import type { Snapshot } from '../recoveries/index.ts';
import { purgeBatch, retentionDays } from '../recovery-feed/index.ts';

type Feed = { tenantId: string; env: string };

const daysAgo = (count: number): Fragment => sql`now() - ${count} * interval '1 day'`;

/**
 * The floor moves over the longest row of events from it on that are all due, at most one batch: so the sequence stays
 * dense from the floor. A consumer that has yet to read the present generation has acknowledged nothing of it.
 */
export const raiseFloor = statement<Feed, { floor_seq: number }>('retention.raiseFloor', (p) => sql`
  WITH waiting AS (
    SELECT min(CASE WHEN c.generation = f.generation THEN c.acked_seq ELSE 0 END) AS acked
    FROM fr_consumer c JOIN fr_feed f USING (tenant_id, env)
    WHERE c.tenant_id = ${p.tenantId}::uuid AND c.env = ${p.env} AND c.last_polled_at > ${daysAgo(retentionDays.active)}
  ), oldest AS (
    SELECT e.seq, e.received_at >= ${daysAgo(retentionDays.keptAtMost)} AND (e.received_at >= ${daysAgo(retentionDays.kept)} OR e.seq > coalesce(w.acked, e.seq)) AS stays
    FROM fr_event e CROSS JOIN waiting w
    WHERE e.tenant_id = ${p.tenantId}::uuid AND e.env = ${p.env} AND e.seq > (SELECT floor_seq FROM fr_feed WHERE tenant_id = ${p.tenantId}::uuid AND env = ${p.env})
    ORDER BY e.seq LIMIT ${purgeBatch}
  )
  UPDATE fr_feed SET floor_seq = due.floor
  FROM (SELECT coalesce(min(seq) FILTER (WHERE stays) - 1, max(seq)) AS floor FROM oldest) due
  WHERE tenant_id = ${p.tenantId}::uuid AND env = ${p.env} AND due.floor > floor_seq
  RETURNING floor_seq`);

/** Whatever stands below the floor, also what an interrupted round has left; the recoveries of which an event went. */
export const removeEvents = statement<Feed, { id: string; events: number }>('retention.removeEvents', (p) => sql`
  WITH gone AS (
    DELETE FROM fr_event WHERE tenant_id = ${p.tenantId}::uuid AND env = ${p.env} AND seq <= least(
      (SELECT floor_seq FROM fr_feed WHERE tenant_id = ${p.tenantId}::uuid AND env = ${p.env}),
      (SELECT min(seq) FROM fr_event WHERE tenant_id = ${p.tenantId}::uuid AND env = ${p.env}) + ${purgeBatch - 1})
    RETURNING funds_recovery_id
  )
  SELECT funds_recovery_id AS id, count(*)::integer AS events FROM gone GROUP BY funds_recovery_id`);

/** One that has not ended stays: the directory may still tell of it. */
const removeEnded = (table: 'fr_record' | 'fr_recovery') => statement<Feed & { ids: string }>(`retention.remove.${table}`, (p) => sql`
  DELETE FROM ${knex.raw(table)} r WHERE r.tenant_id = ${p.tenantId}::uuid AND r.env = ${p.env} AND r.status IN ('COMPLETED', 'CANCELLED')
    AND r.funds_recovery_id IN (SELECT jsonb_array_elements_text(${p.ids}::jsonb)::uuid)
    AND NOT EXISTS (SELECT FROM fr_event e WHERE e.tenant_id = r.tenant_id AND e.env = r.env AND e.funds_recovery_id = r.funds_recovery_id)`);

export const removeRecords = removeEnded('fr_record');
export const removeRecoveries = removeEnded('fr_recovery');

/** The clock of the service may be ahead of the database's, which refuses what is too young for it. */
export const removePages = statement<Feed & { before: Date }>('retention.removePages', (p) => sql`
  DELETE FROM dict_inbox WHERE tenant_id = ${p.tenantId}::uuid AND env = ${p.env}
    AND received_at < least(${p.before}::timestamptz, CASE WHEN env = 'live' THEN ${daysAgo(retentionDays.kept)} ELSE 'infinity' END)
    AND received_at <= coalesce((
      SELECT received_at FROM dict_inbox WHERE tenant_id = ${p.tenantId}::uuid AND env = ${p.env} ORDER BY received_at OFFSET ${purgeBatch - 1} LIMIT 1), 'infinity')`);

type ErasedRecovery = { tenantId: string; id: string; env: string };

export interface ErasableRecord {
  readonly snapshot: Snapshot;
  readonly created_at: string;
  readonly last_modified: string;
  readonly erased_at: string | null;
}

export const lockRecord = statement<ErasedRecovery, ErasableRecord>('payload.lockRecord', (p) =>
  knex('fr_record').select('snapshot', 'created_at', 'last_modified', 'erased_at')
    .where({ tenant_id: p.tenantId, env: p.env, funds_recovery_id: p.id }).forUpdate());

export const eraseRecord = statement<ErasedRecovery & { snapshot: string; now: Date }>('payload.eraseRecord', (p) => sql`
  UPDATE fr_record SET snapshot = ${p.snapshot}::jsonb, erased_at = coalesce(erased_at, ${p.now}::timestamptz)
  WHERE tenant_id = ${p.tenantId}::uuid AND env = ${p.env} AND funds_recovery_id = ${p.id}::uuid`, { expectRows: 1 });

/** The event itself stays where it stands: only what it carried goes. */
export const eraseEvents = statement<ErasedRecovery>('payload.eraseEvents', (p) => sql`
  UPDATE fr_event SET raw_payload = NULL
  WHERE tenant_id = ${p.tenantId}::uuid AND env = ${p.env} AND funds_recovery_id = ${p.id}::uuid AND raw_payload IS NOT NULL`);

/** A page names recoveries by their identifiers, in ASCII; the escape format shows that part of any bytes as it is. */
export const eraseInbox = statement<ErasedRecovery & { from: Date; to: Date }>('payload.eraseInbox', (p) => sql`
  UPDATE dict_inbox SET xml = NULL
  WHERE tenant_id = ${p.tenantId}::uuid AND env = ${p.env} AND received_at BETWEEN ${p.from}::timestamptz AND ${p.to}::timestamptz AND xml IS NOT NULL
    AND position(lower(${p.id}::text) IN lower(encode(xml, 'escape'))) > 0`);
