import { knex, sql, statement, type Transaction } from '../../../../database/index.ts';
import type { Participant } from '../participant.ts';

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

type Key = { tenantId: string; env: string; ispb: string };
type Version = { incarnation: string; version: number };

const columns = ['incarnation', 'version', 'page_cursor', 'tail', 'watermarks', 'reconciled_at', 'last_ok_at', 'gap_since'];

const begin = statement<Key>('stream.begin', (p) =>
  knex('dict_stream').insert({ tenant_id: p.tenantId, env: p.env, ispb: p.ispb }).onConflict(['tenant_id', 'env', 'ispb']).ignore());

const find = statement<Key, Stream>('stream.find', (p) =>
  knex('dict_stream').select(columns).where({ tenant_id: p.tenantId, env: p.env, ispb: p.ispb }));

const lock = statement<Key, { incarnation: string; version: number }>('stream.lock', (p) =>
  knex('dict_stream').select('incarnation', 'version').where({ tenant_id: p.tenantId, env: p.env, ispb: p.ispb }).forUpdate());

const save = statement<Key & Version & { cursor: string | null; tail: string; okAt: Date; gapSince: string | null }>('stream.save', (p) =>
  knex('dict_stream').where({ tenant_id: p.tenantId, env: p.env, ispb: p.ispb, incarnation: p.incarnation }).update({
    page_cursor: p.cursor, tail: p.tail, last_ok_at: p.okAt, gap_since: p.gapSince, version: sql`version + 1`,
  }), { expectRows: 1 });

const saveMarks = statement<Key & { incarnation: string; watermarks: string; at: Date | null; gapSince: string | null }>('stream.saveMarks', (p) => sql`
  UPDATE dict_stream SET watermarks = watermarks || ${p.watermarks}::jsonb, reconciled_at = coalesce(${p.at}::timestamptz, reconciled_at), gap_since = ${p.gapSince}::timestamptz
  WHERE tenant_id = ${p.tenantId}::uuid AND env = ${p.env} AND ispb = ${p.ispb} AND incarnation = ${p.incarnation}::uuid`, { expectRows: 1 });

const keyOf = ({ tenantId, env, ispb }: Participant): Key => ({ tenantId, env, ispb });

/** Begun when it is asked for the first time. */
export async function openStream(tx: Transaction, participant: Participant): Promise<Stream> {
  void tx.run(begin, keyOf(participant));
  const [stream] = await tx.run(find, keyOf(participant));
  if (stream === undefined) throw new Error('a stream was begun and is not there');
  return stream;
}

/** False when somebody else has read on, or the stream was ended, since it was opened: what was read then is of no use. */
export async function isCurrent(tx: Transaction, participant: Participant, { incarnation, version }: Version): Promise<boolean> {
  const [now] = await tx.run(lock, keyOf(participant));
  return now?.incarnation === incarnation && now.version === version;
}

/** Holds for everything that is not a page: who reads lists does not disturb who reads pages. */
export async function isSameStream(tx: Transaction, participant: Participant, { incarnation }: Version): Promise<boolean> {
  const [now] = await tx.run(lock, keyOf(participant));
  return now?.incarnation === incarnation;
}

export async function savePosition(
  tx: Transaction, participant: Participant, { incarnation, version }: Version,
  { cursor, tail, okAt, gapSince }: { readonly cursor: string | null; readonly tail: readonly string[]; readonly okAt: Date; readonly gapSince: string | null },
): Promise<void> {
  await tx.run(save, { ...keyOf(participant), incarnation, version, cursor, tail: JSON.stringify(tail), okAt, gapSince });
}

export async function saveWatermarks(
  tx: Transaction, participant: Participant, { incarnation }: Version,
  { watermarks, reconciledAt, gapSince }: { readonly watermarks: Readonly<Record<string, string>>; readonly reconciledAt: Date | null; readonly gapSince: string | null },
): Promise<void> {
  await tx.run(saveMarks, { ...keyOf(participant), incarnation, watermarks: JSON.stringify(watermarks), at: reconciledAt, gapSince });
}
