/**
 * Table `dict_stream`: how far a participant's notifications and lists have been read. Used by the steps of a round. A
 * position is saved only if nobody has read further meanwhile, which the caller learns by false.
 */
import type { Environment } from '../../contract/operation.ts';
import {
  code,
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

export const stream = table(
  'dict_stream',
  {
    // Distinguishes a stream from the one that replaced it after a reset.
    incarnation: uuid().defaulted(),
    version: integer().defaulted().changes('the poller records how far it has read the directory'),
    // Cursor that produced the last page, because the directory gives none for what comes after that page.
    pageCursor: text().nullable().defaulted().changes('the poller records how far it has read the directory'),
    // Ids of the notifications of that page, which every further read repeats.
    tail: json<readonly string[]>().defaulted().changes('the poller records how far it has read the directory'),
    watermarks: json<Readonly<Record<string, string>>>()
      .defaulted()
      .changes('the poller records how far it has read the directory'),
    reconciledAt: timestamp().nullable().defaulted().changes('the poller records how far it has read the directory'),
    lastOkAt: timestamp().nullable().defaulted().changes('the poller records how far it has read the directory'),
    gapSince: timestamp().nullable().defaulted().changes('the poller records how far it has read the directory'),
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

const position = stream.except('tenantId', 'environment', 'ispb');
/** How far a participant's notifications and lists have been read. */
export type Stream = RowOf<typeof position>;

export type StreamKey = { tenantId: string; environment: Environment; ispb: string };
type Version = { incarnation: string; version: number };

export const ofStream = (p: ParametersOf<StreamKey>) => ({
  tenantId: p.tenantId,
  environment: p.environment,
  ispb: p.ispb,
});

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

/** How far the lists have been read: by list, and as a whole. */
interface Marks {
  readonly watermarks: Readonly<Record<string, string>>;
  readonly reconciledAt: Date | null;
  readonly gapSince: string | null;
}

const updateWatermarks = statement<StreamKey & Omit<Marks, 'watermarks'> & { incarnation: string; watermarks: string }>(
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
  { watermarks, reconciledAt, gapSince }: Marks,
): Promise<void> {
  await tx.run(updateWatermarks, {
    ...streamKeyOf(participant),
    incarnation,
    watermarks: JSON.stringify(watermarks),
    reconciledAt,
    gapSince,
  });
}

export const findLastOk = statement<StreamKey, Pick<Stream, 'lastOkAt'>>(
  'stream.lastOk',
  (p) => sql`
  SELECT ${stream.select('lastOkAt')} FROM dict_stream WHERE ${stream.equal(ofStream(p))}`,
);
