import type { Environment } from '../../contract/operation.ts';
import {
  bytes,
  code,
  type Database,
  integer,
  json,
  type ParametersOf,
  type RowOf,
  sql,
  statement,
  table,
  text,
  timestamp,
  type Transaction,
  uuid,
} from '../../database/index.ts';
import { record } from '../recoveries/index.ts';

export const stream = table(
  'dict_stream',
  {
    // Distinguishes a stream from the one that replaced it after a reset.
    incarnation: uuid().defaulted(),
    version: integer().defaulted().changes('it says how far the directory has been read'),
    // Cursor that produced the last page, because the directory gives none for what comes after that page.
    pageCursor: text().nullable().defaulted().changes('it says how far the directory has been read'),
    // Ids of the notifications of that page, which every further read repeats.
    tail: json<readonly string[]>().defaulted().changes('it says how far the directory has been read'),
    watermarks: json<Readonly<Record<string, string>>>()
      .defaulted()
      .changes('it says how far the directory has been read'),
    reconciledAt: timestamp().nullable().defaulted().changes('it says how far the directory has been read'),
    lastOkAt: timestamp().nullable().defaulted().changes('it says how far the directory has been read'),
    gapSince: timestamp().nullable().defaulted().changes('it says how far the directory has been read'),
    tenantId: uuid(),
    environment: code<Environment>().named('env'),
    ispb: text(),
  },
  {
    owner: 'tenant',
    sandboxReset: 'emptied',
    insertedBy: 'app',
    example: { ispb: '1' },
  },
);

export const inbox = table(
  'dict_inbox',
  {
    tenantId: uuid(),
    environment: code<Environment>().named('env'),
    ispb: text(),
    id: uuid().defaulted(),
    receivedAt: timestamp(),
    sha256: text().nullable(),
    xml: bytes().nullable().changes('a page is erased'),
    verdict: code<Verdict | Refusal['verdict']>(),
  },
  {
    owner: 'tenant',
    sandboxReset: 'emptied',
    insertedBy: 'app',
    example: {
      ispb: '1',
      sha256: 'x',
      verdict: 'processed',
      xml: Buffer.alloc(32),
    },
  },
);

const position = stream.except('tenantId', 'environment', 'ispb');
/** How far a participant's notifications and lists have been read. */
export type Stream = RowOf<typeof position>;

type StreamKey = { tenantId: string; environment: Environment; ispb: string };
type Version = { incarnation: string; version: number };

const ofStream = (p: ParametersOf<StreamKey>) => ({ tenantId: p.tenantId, environment: p.environment, ispb: p.ispb });

const insertStream = statement<StreamKey>(
  'stream.begin',
  (p) => sql`
  INSERT INTO dict_stream (${stream.list('tenantId', 'environment', 'ispb')})
    VALUES (${p.tenantId}, ${p.environment}, ${p.ispb})
  ON CONFLICT (tenant_id, env, ispb) DO NOTHING`,
);

const selectStream = statement<StreamKey, Stream>(
  'stream.find',
  (p) => sql`SELECT ${position} FROM dict_stream WHERE ${stream.equal(ofStream(p))}`,
);

const selectStreamForUpdate = statement<StreamKey, Version>(
  'stream.lock',
  (p) => sql`
  SELECT ${stream.select('incarnation', 'version')} FROM dict_stream WHERE ${stream.equal(ofStream(p))} FOR UPDATE`,
);

type Position = {
  pageCursor: string | null;
  tail: readonly string[];
  lastOkAt: Date;
  gapSince: string | null;
};

const updatePosition = statement<StreamKey & Position & { incarnation: string }>(
  'stream.save',
  (p) => sql`
  UPDATE dict_stream
  SET ${stream.assign({
    pageCursor: p.pageCursor,
    tail: p.tail,
    lastOkAt: p.lastOkAt,
    gapSince: p.gapSince,
    version: sql`version + 1`,
  })}
  WHERE ${stream.equal({ ...ofStream(p), incarnation: p.incarnation })}`,
  { expectRows: 1 },
);

type Marks = { watermarks: string; reconciledAt: Date | null; gapSince: string | null };

const updateWatermarks = statement<StreamKey & Marks & { incarnation: string }>(
  'stream.saveMarks',
  (p) => sql`
  UPDATE dict_stream
    SET watermarks = watermarks || ${p.watermarks}::jsonb,
    reconciled_at = coalesce(${p.reconciledAt}::timestamptz, reconciled_at),
    ${stream.assign({ gapSince: p.gapSince })}
  WHERE ${stream.equal({ ...ofStream(p), incarnation: p.incarnation })}`,
  { expectRows: 1 },
);

const streamKeyOf = ({ tenantId, environment, ispb }: StreamKey): StreamKey => ({ tenantId, environment, ispb });

/** Opens a stream, and creates it at the first call. */
export async function openStream(tx: Transaction, participant: StreamKey): Promise<Stream> {
  void tx.run(insertStream, streamKeyOf(participant));
  const [stream] = await tx.run(selectStream, streamKeyOf(participant));
  if (stream === undefined)
    throw new Error('a stream was inserted, but it cannot be found: it should be visible in the same transaction');
  return stream;
}

/**
 * Returns false if another process has read further, or the stream was ended, since it was opened: what was read is
 * then void.
 */
export async function isCurrent(
  tx: Transaction,
  participant: StreamKey,
  { incarnation, version }: Version,
): Promise<boolean> {
  const [now] = await tx.run(selectStreamForUpdate, streamKeyOf(participant));
  return now?.incarnation === incarnation && now.version === version;
}

/**
 * Returns whether the stream still exists, for writes other than pages. Reading lists does not conflict with reading
 * pages.
 */
export async function isSameStream(
  tx: Transaction,
  participant: StreamKey,
  { incarnation }: Version,
): Promise<boolean> {
  const [now] = await tx.run(selectStreamForUpdate, streamKeyOf(participant));
  return now?.incarnation === incarnation;
}

export async function savePosition(
  tx: Transaction,
  participant: StreamKey,
  { incarnation }: Version,
  position: Position,
): Promise<void> {
  await tx.run(updatePosition, { ...streamKeyOf(participant), incarnation, ...position });
}

export async function saveWatermarks(
  tx: Transaction,
  participant: StreamKey,
  { incarnation }: Version,
  {
    watermarks,
    reconciledAt,
    gapSince,
  }: {
    readonly watermarks: Readonly<Record<string, string>>;
    readonly reconciledAt: Date | null;
    readonly gapSince: string | null;
  },
): Promise<void> {
  await tx.run(updateWatermarks, {
    ...streamKeyOf(participant),
    incarnation,
    watermarks: JSON.stringify(watermarks),
    reconciledAt,
    gapSince,
  });
}

export type Verdict = 'processed' | 'unknown_entity' | 'unmapped_participant' | 'recovery_not_shown';

type PageRow = StreamKey & {
  at: Date;
  sha256: string;
  xml: Buffer;
  verdict: Verdict;
  mentions: string;
};

/** A page that names a recovery whose personal data was erased is stored as a hash only. */
const insertPage = statement<PageRow>(
  'inbox.add',
  (p) => sql`
  INSERT INTO dict_inbox (${inbox.list('tenantId', 'environment', 'ispb', 'receivedAt', 'sha256', 'verdict', 'xml')})
  SELECT ${p.tenantId}::uuid, ${p.environment}, ${p.ispb}, ${p.at}::timestamptz, ${p.sha256}, ${p.verdict}, CASE
    WHEN EXISTS (
    SELECT FROM fr_record r WHERE ${record.as('r').equal({ tenantId: p.tenantId, environment: p.environment })}
      AND r.erased_at IS NOT NULL
      AND r.funds_recovery_id::text IN (SELECT lower(jsonb_array_elements_text(${p.mentions}::jsonb)))) THEN NULL
        ELSE ${p.xml}::bytea END
  ON CONFLICT (tenant_id, env, ispb, sha256) DO NOTHING`,
);

interface ReceivedPage {
  readonly at: Date;
  readonly sha256: string;
  readonly xml: Buffer;
  readonly verdict: Verdict;
  /** Identifiers of everything that the page is about. */
  readonly mentions?: readonly string[];
}

/**
 * Stores a response of the directory as received, with its verdict. Returns false if the same bytes are stored already.
 */
export async function keepPage(
  tx: Transaction,
  { tenantId, environment, ispb }: StreamKey,
  { mentions = [], ...received }: ReceivedPage,
): Promise<boolean> {
  return (
    (await tx.count(insertPage, {
      tenantId,
      environment,
      ispb,
      ...received,
      mentions: JSON.stringify(mentions),
    })) === 1
  );
}

/** A page whose content was not used. */
export type Refusal = {
  readonly at: Date;
  readonly verdict: 'signature_invalid' | 'unreadable';
  /** Null if the page did not arrive whole. */
  readonly sha256: string | null;
};

const insertRefusal = statement<StreamKey & Refusal>(
  'inbox.addRefusal',
  (p) => sql`
  INSERT INTO dict_inbox (${inbox.list('tenantId', 'environment', 'ispb', 'receivedAt', 'sha256', 'verdict')})
  SELECT ${p.tenantId}::uuid, ${p.environment}, ${p.ispb}, ${p.at}::timestamptz, ${p.sha256}, ${p.verdict}::text
    WHERE NOT EXISTS (
    SELECT FROM dict_inbox WHERE ${inbox.equal({ ...ofStream(p), verdict: p.verdict })}
      AND received_at > ${p.at}::timestamptz - interval '1 hour')
  ON CONFLICT (tenant_id, env, ispb, sha256) DO NOTHING`,
);

/**
 * Records that a page was refused, with its hash and without its bytes, because their origin is not verified. One
 * record an hour of each kind shows since when, and a directory that is broken for days does not fill the table; alarms
 * count every refusal.
 */
export async function recordRefusal(
  tx: Transaction,
  { tenantId, environment, ispb }: StreamKey,
  refusal: Refusal,
): Promise<void> {
  await tx.run(insertRefusal, {
    tenantId,
    environment,
    ispb,
    ...refusal,
  });
}

const selectClockOffset = statement<{ tenantId: string }, { seconds: number }>(
  'ingestion.sandboxOffset',
  (p) => sql`
  SELECT sandbox_clock_offset_seconds AS seconds FROM tenant WHERE id = ${p.tenantId}`,
);

/** Returns the time by which a participant's deadlines run, because the clock of a sandbox can be ahead. */
export async function businessTime(database: Database, { environment, tenantId }: StreamKey, now: Date): Promise<Date> {
  if (environment === 'live') return now;
  const [row] = await database.transaction({ tenantId, readOnly: true }, (tx) =>
    tx.run(selectClockOffset, { tenantId }),
  );
  return new Date(now.getTime() + (row?.seconds ?? 0) * 1000);
}

export const findLastOk = statement<StreamKey, Pick<Stream, 'lastOkAt'>>(
  'stream.lastOk',
  (p) => sql`
  SELECT ${stream.select('lastOkAt')} FROM dict_stream WHERE ${stream.equal(ofStream(p))}`,
);

export const findSandboxes = statement<Record<never, never>, { id: string; open: boolean }>(
  'ingestion.sandboxes',
  () => sql`
  SELECT t.id, EXISTS (
    SELECT FROM fr_record r WHERE r.tenant_id = t.id AND r.env = 'sandbox'
      AND (r.status NOT IN ('COMPLETED', 'CANCELLED') OR r.wake_at IS NOT NULL)
  ) AS open
  FROM tenant t WHERE t.status IN ('onboarding', 'active') AND EXISTS (SELECT FROM dict_sim_command c
    WHERE c.tenant_id = t.id AND c.env = 'sandbox')
  ORDER BY t.id`,
);

export const findTenants = statement<{ slugs: string }, { id: string; slug: string }>(
  'ingestion.tenants',
  (p) => sql`
  SELECT id, slug FROM tenant WHERE status IN ('onboarding', 'active')
    AND slug IN (SELECT jsonb_array_elements_text(${p.slugs}::jsonb))`,
);
