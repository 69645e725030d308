import type { Environment } from '../../contract/operation.ts';
import { type Database, knex, sql, statement, type Transaction } from '../../database/index.ts';

/** How far a participant's notifications and lists have been read. */
export interface Stream {
  readonly incarnation: string;
  readonly version: number;
  readonly page_cursor: string | null;
  readonly tail: readonly string[];
  readonly watermarks: Readonly<Record<string, string>>;
  readonly reconciled_at: string | null;
  readonly last_ok_at: string | null;
  readonly gap_since: string | null;
}

type StreamKey = { tenantId: string; env: Environment; ispb: string };
type Version = { incarnation: string; version: number };

const streamColumns = ['incarnation', 'version', 'page_cursor', 'tail', 'watermarks', 'reconciled_at', 'last_ok_at', 'gap_since'];

const insertStream = statement<StreamKey>('stream.begin', (p) =>
  knex('dict_stream').insert({ tenant_id: p.tenantId, env: p.env, ispb: p.ispb }).onConflict(['tenant_id', 'env', 'ispb']).ignore());

const selectStream = statement<StreamKey, Stream>('stream.find', (p) =>
  knex('dict_stream').select(streamColumns).where({ tenant_id: p.tenantId, env: p.env, ispb: p.ispb }));

const selectStreamForUpdate = statement<StreamKey, { incarnation: string; version: number }>('stream.lock', (p) =>
  knex('dict_stream').select('incarnation', 'version').where({ tenant_id: p.tenantId, env: p.env, ispb: p.ispb }).forUpdate());

const updatePosition = statement<StreamKey & Version & { cursor: string | null; tail: string; okAt: Date; gapSince: string | null }>('stream.save', (p) =>
  knex('dict_stream').where({ tenant_id: p.tenantId, env: p.env, ispb: p.ispb, incarnation: p.incarnation }).update({
    page_cursor: p.cursor, tail: p.tail, last_ok_at: p.okAt, gap_since: p.gapSince, version: sql`version + 1`,
  }), { expectRows: 1 });

const updateWatermarks = statement<StreamKey & { incarnation: string; watermarks: string; at: Date | null; gapSince: string | null }>('stream.saveMarks', (p) => sql`
  UPDATE dict_stream SET watermarks = watermarks || ${p.watermarks}::jsonb, reconciled_at = coalesce(${p.at}::timestamptz, reconciled_at), gap_since = ${p.gapSince}::timestamptz
  WHERE tenant_id = ${p.tenantId}::uuid AND env = ${p.env} AND ispb = ${p.ispb} AND incarnation = ${p.incarnation}::uuid`, { expectRows: 1 });

const streamKeyOf = ({ tenantId, env, ispb }: StreamKey): StreamKey => ({ tenantId, env, ispb });

/** Begun when it is asked for the first time. */
export async function openStream(tx: Transaction, participant: StreamKey): Promise<Stream> {
  void tx.run(insertStream, streamKeyOf(participant));
  const [stream] = await tx.run(selectStream, streamKeyOf(participant));
  if (stream === undefined) throw new Error('a stream was begun and is not there');
  return stream;
}

/** False when somebody else has read on, or the stream was ended, since it was opened: what was read then is of no use. */
export async function isCurrent(tx: Transaction, participant: StreamKey, { incarnation, version }: Version): Promise<boolean> {
  const [now] = await tx.run(selectStreamForUpdate, streamKeyOf(participant));
  return now?.incarnation === incarnation && now.version === version;
}

/** Holds for everything that is not a page: who reads lists does not disturb who reads pages. */
export async function isSameStream(tx: Transaction, participant: StreamKey, { incarnation }: Version): Promise<boolean> {
  const [now] = await tx.run(selectStreamForUpdate, streamKeyOf(participant));
  return now?.incarnation === incarnation;
}

export async function savePosition(
  tx: Transaction, participant: StreamKey, { incarnation, version }: Version,
  { cursor, tail, okAt, gapSince }: { readonly cursor: string | null; readonly tail: readonly string[]; readonly okAt: Date; readonly gapSince: string | null },
): Promise<void> {
  await tx.run(updatePosition, { ...streamKeyOf(participant), incarnation, version, cursor, tail: JSON.stringify(tail), okAt, gapSince });
}

export async function saveWatermarks(
  tx: Transaction, participant: StreamKey, { incarnation }: Version,
  { watermarks, reconciledAt, gapSince }: { readonly watermarks: Readonly<Record<string, string>>; readonly reconciledAt: Date | null; readonly gapSince: string | null },
): Promise<void> {
  await tx.run(updateWatermarks, { ...streamKeyOf(participant), incarnation, watermarks: JSON.stringify(watermarks), at: reconciledAt, gapSince });
}

export type Verdict = 'processed' | 'unknown_entity' | 'unmapped_participant' | 'recovery_not_shown';

type PageRow = { tenantId: string; env: string; ispb: string; at: Date; sha256: string; xml: Buffer; verdict: string; mentions: string };

/** Of a page that names a recovery whose persons were erased only its hash is kept. */
const insertPage = statement<PageRow>('inbox.add', (p) => sql`
  INSERT INTO dict_inbox (tenant_id, env, ispb, received_at, sha256, verdict, xml)
  SELECT ${p.tenantId}::uuid, ${p.env}, ${p.ispb}, ${p.at}::timestamptz, ${p.sha256}, ${p.verdict}, CASE WHEN EXISTS (
    SELECT FROM fr_record r WHERE r.tenant_id = ${p.tenantId}::uuid AND r.env = ${p.env} AND r.erased_at IS NOT NULL
      AND r.funds_recovery_id::text IN (SELECT lower(jsonb_array_elements_text(${p.mentions}::jsonb)))) THEN NULL ELSE ${p.xml}::bytea END
  ON CONFLICT (tenant_id, env, ispb, sha256) DO NOTHING`);

interface ReceivedPage {
  readonly at: Date;
  readonly sha256: string;
  readonly xml: Buffer;
  readonly verdict: Verdict;
  /** Identifiers of everything that it is about. */
  readonly mentions?: readonly string[];
}

/** Keeps an answer of the directory as it came, and what became of it. False when the same bytes are there already. */
export async function keepPage(tx: Transaction, { tenantId, env, ispb }: StreamKey, { mentions = [], ...received }: ReceivedPage): Promise<boolean> {
  return await tx.count(insertPage, { tenantId, env, ispb, ...received, mentions: JSON.stringify(mentions) }) === 1;
}

/** A page of which nothing was used. */
export interface Refusal {
  readonly at: Date;
  readonly verdict: 'signature_invalid' | 'unreadable';
  /** Null where it did not come whole. */
  readonly sha256: string | null;
}

const insertRefusal = statement<{ tenantId: string; env: string; ispb: string; at: Date; sha256: string | null; verdict: string }>('inbox.addRefusal', (p) => sql`
  INSERT INTO dict_inbox (tenant_id, env, ispb, received_at, sha256, verdict)
  SELECT ${p.tenantId}::uuid, ${p.env}, ${p.ispb}, ${p.at}::timestamptz, ${p.sha256}, ${p.verdict}::text WHERE NOT EXISTS (
    SELECT FROM dict_inbox WHERE tenant_id = ${p.tenantId}::uuid AND env = ${p.env} AND received_at > ${p.at}::timestamptz - interval '1 hour' AND ispb = ${p.ispb} AND verdict = ${p.verdict})
  ON CONFLICT (tenant_id, env, ispb, sha256) DO NOTHING`);

/**
 * Writes down that a page was refused, and which, without its bytes: nobody vouches for them. One an hour of each kind is
 * enough to tell since when, and a directory that is broken for days fills no table; alarms count every one.
 */
export async function recordRefusal(tx: Transaction, { tenantId, env, ispb }: StreamKey, refusal: Refusal): Promise<void> {
  await tx.run(insertRefusal, { tenantId, env, ispb, ...refusal });
}

const selectClockOffset = statement<{ tenantId: string }, { seconds: number }>('ingestion.sandboxOffset', (p) =>
  knex('tenant').select('sandbox_clock_offset_seconds as seconds').where({ id: p.tenantId }));

/** The clock by which a participant's deadlines run: that of a sandbox can be ahead. */
export async function businessTime(database: Database, { env, tenantId }: StreamKey, now: Date): Promise<Date> {
  if (env === 'live') return now;
  const [row] = await database.transaction({ tenantId, readOnly: true }, (tx) => tx.run(selectClockOffset, { tenantId }));
  return new Date(now.getTime() + (row?.seconds ?? 0) * 1000);
}

export const findLastOk = statement<StreamKey, { last_ok_at: string | null }>('stream.lastOk', (p) =>
  knex('dict_stream').select('last_ok_at').where({ tenant_id: p.tenantId, env: p.env, ispb: p.ispb }));

export const findSandboxes = statement<Record<never, never>, { id: string; open: boolean }>('ingestion.sandboxes', () => sql`
  SELECT t.id, EXISTS (
    SELECT FROM fr_record r WHERE r.tenant_id = t.id AND r.env = 'sandbox' AND (r.status NOT IN ('COMPLETED', 'CANCELLED') OR r.wake_at IS NOT NULL)
  ) AS open
  FROM tenant t WHERE t.status IN ('onboarding', 'active') AND EXISTS (SELECT FROM dict_sim_command c WHERE c.tenant_id = t.id AND c.env = 'sandbox')
  ORDER BY t.id`);

export const findTenants = statement<{ slugs: string }, { id: string; slug: string }>('ingestion.tenants', (p) => sql`
  SELECT id, slug FROM tenant WHERE status IN ('onboarding', 'active') AND slug IN (SELECT jsonb_array_elements_text(${p.slugs}::jsonb))`);
