import { createHash } from 'node:crypto';
import type { Environment } from '../../contract/operation.ts';
import { type Fragment, knex, sql, statement, type Transaction } from '../../database/index.ts';

/** The namespace of this product's event ids; changing it would rename every event ever delivered. */
const NAMESPACE = Buffer.from('6f6e626f617264696e672e66756e6473', 'hex');

/**
 * The id of an event: `fre_` and a UUID version 5 (RFC 9562 §5.5) of tenant, environment and dedupe key. The same
 * directory fact ingested twice, or again after a restore, has the same id, so consumers can drop repetitions.
 */
export function eventId(tenantId: string, environment: Environment, dedupeKey: string): string {
  const hash = createHash('sha1').update(NAMESPACE).update(`${tenantId}|${environment}|${dedupeKey}`).digest().subarray(0, 16);
  hash[6] = (hash[6]! & 0x0f) | 0x50;
  hash[8] = (hash[8]! & 0x3f) | 0x80;
  const hex = hash.toString('hex');
  return `fre_${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

/** A change of a recovery, as whoever learned it from the directory hands it over. */
export interface NewEvent {
  readonly fundsRecoveryId: string;
  readonly eventType: string;
  /** The status of the recovery after this event. */
  readonly status: string;
  /** Directory time, RFC 3339. */
  readonly occurredAt: string;
  /** Equal for the same directory fact, however it was learned. */
  readonly dedupeKey: string;
  readonly rawPayload: object | null;
}

/** Statuses in the order of the lifecycle: events of the same instant are published in it. */
const STATUS_ORDER = ['CREATED', 'TRACKED', 'AWAITING_ANALYSIS', 'ANALYSED', 'REFUNDING', 'COMPLETED', 'CANCELLED'];

/**
 * Adds events to a feed and tells how many were new; facts that are there already are dropped. The head row is locked
 * before the sequence is taken and until COMMIT, so a number is visible before a higher one exists and a rollback leaves
 * no hole. Must be the last thing that its transaction waits for, or other publishers wait with it.
 */
export async function publishEvents(tx: Transaction, environment: Environment, events: readonly NewEvent[]): Promise<number> {
  const tenantId = tx.tenantId!;
  const feed = { tenantId, env: environment };
  const [head] = await tx.run(lockHead, feed);
  if (head === undefined) throw new Error('the tenant has no feed');
  const [appended] = await tx.run(appendEvents, {
    ...feed,
    lastSeq: head.last_seq,
    events: JSON.stringify(events.map((event) => ({
      event_id: eventId(tenantId, environment, event.dedupeKey),
      funds_recovery_id: event.fundsRecoveryId,
      event_type: event.eventType,
      status: event.status,
      occurred_at: event.occurredAt,
      dedupe_key: event.dedupeKey,
      raw_payload: event.rawPayload,
      rank: STATUS_ORDER.indexOf(event.status),
    }))),
  });
  return appended?.published ?? 0;
}

type Feed = { tenantId: string; env: string };

export const lockHead = statement<Feed, { last_seq: number }>('feed.lockHead', (p) =>
  knex('fr_feed').select('last_seq').where({ tenant_id: p.tenantId, env: p.env }).forUpdate());

/** CREATED, TRACKED and AWAITING_ANALYSIS are one phase: their deadlines all count from the creation. */
const phaseOf = (column: Fragment) => sql`CASE WHEN ${column} IN ('CREATED', 'TRACKED', 'AWAITING_ANALYSIS') THEN 'OPENING' ELSE ${column} END`;

const appendEvents = statement<Feed & { lastSeq: number; events: string }, { published: number }>('feed.append', (p) => sql`
  WITH fresh AS (
    SELECT DISTINCT ON (dedupe_key) given.*
    FROM jsonb_to_recordset(${p.events}::jsonb) AS given (event_id text, funds_recovery_id uuid, event_type text, status text,
      occurred_at timestamptz, dedupe_key text, raw_payload jsonb, rank integer)
    WHERE NOT EXISTS (SELECT FROM fr_event e WHERE e.tenant_id = ${p.tenantId}::uuid AND e.env = ${p.env} AND e.dedupe_key = given.dedupe_key)
    ORDER BY dedupe_key, occurred_at
  ), appended AS (
    INSERT INTO fr_event (tenant_id, env, seq, event_id, funds_recovery_id, event_type, status, occurred_at, dedupe_key, raw_payload)
    SELECT ${p.tenantId}::uuid, ${p.env}, ${p.lastSeq}::bigint + row_number() OVER (ORDER BY occurred_at, rank, dedupe_key),
      event_id, funds_recovery_id, event_type, status, occurred_at, dedupe_key, nullif(raw_payload, 'null'::jsonb)
    FROM fresh
    RETURNING seq, funds_recovery_id, status, occurred_at
  ), head AS (
    UPDATE fr_feed SET last_seq = last_seq + (SELECT count(*) FROM appended) WHERE tenant_id = ${p.tenantId}::uuid AND env = ${p.env}
  ), latest AS (
    SELECT DISTINCT ON (funds_recovery_id) funds_recovery_id, status,
      min(occurred_at) OVER (PARTITION BY funds_recovery_id, ${phaseOf(sql`status`)}) AS phase_began_at
    FROM appended ORDER BY funds_recovery_id, seq DESC
  ), recovery AS (
    INSERT INTO fr_recovery AS known (tenant_id, env, funds_recovery_id, status, phase_began_at)
    SELECT ${p.tenantId}::uuid, ${p.env}, funds_recovery_id, status, phase_began_at FROM latest
    ON CONFLICT (tenant_id, env, funds_recovery_id) DO UPDATE SET
      status = excluded.status,
      phase_began_at = CASE WHEN ${phaseOf(sql`excluded.status`)} = ${phaseOf(sql`known.status`)} THEN known.phase_began_at ELSE excluded.phase_began_at END
  )
  SELECT count(*) AS published FROM appended`,
// A reader that has seen a place of the feed never comes back to it: nothing else may ever stand there.
{ durable: true });
