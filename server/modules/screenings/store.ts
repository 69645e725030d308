import type { components } from '../../contract/generated/types.ts';
import type { Environment } from '../../contract/operation.ts';
import {
  boolean, double, every, type Fragment, type InsertOf, integer, json, keyset, type RowOf, sql, statement, table, text, texts, timestamp, type Transaction, uuid,
} from '../../database/index.ts';
import { tenant } from '../../identity/tables.ts';
import type { Position } from '../../request/pagination.ts';
import type { Judgement } from '../../screening/engine/judgement.ts';
import { openValue, type Sealed, unwrapped, wrappedKey } from '../subject-keys/index.ts';
import type { WatchListId } from '../watch-lists/index.ts';

type Schemas = components['schemas'];
export type ScreenedSubject = Schemas['ScreenedSubject'];

/** A list as it was searched. */
export interface SearchedList {
  readonly listId: WatchListId;
  readonly version: string;
  readonly sequence: number;
  readonly publishedOn: string | null;
}

export const screening = table('screening', {
  tenantId: uuid().fixed(),
  id: uuid().fixed(),
  environment: text<Environment>().fixed(),
  applicationId: uuid().nullable().fixed(),
  result: text<Schemas['ScreeningResult']>().fixed(),
  subject: json<Sealed>().fixed(),
  criteria: json<Schemas['ScreeningCriteria']>().fixed(),
  lists: json<readonly SearchedList[]>().fixed(),
  staleLists: texts<WatchListId>().fixed(),
  hitCount: integer().fixed(),
  openHitCount: integer().fixed(),
  truncated: boolean().fixed(),
  algorithmVersion: text().fixed(),
  durationMs: integer().fixed(),
  createdAt: timestamp().fixed(),
  createdBy: json<Schemas['Actor']>().fixed(),
});

const hit = table('screening_hit', {
  tenantId: uuid().fixed(),
  id: uuid().fixed(),
  screeningId: uuid().fixed(),
  environment: text<Environment>().fixed(),
  position: integer().fixed(),
  listId: text<WatchListId>().fixed(),
  category: text<Schemas['HitCategory']>().fixed(),
  score: double().fixed(),
  content: json<Sealed>().fixed(),
});

/** What of a hit tells of the subject: whom it was found to be like, and why. */
export interface HitContent {
  readonly entityKey: string;
  readonly judgement: Judgement;
}

const kept = screening.except('tenantId');
/** A row with the key under which its subject is sealed; without one the application was erased. */
const found = sql`${kept}, CASE WHEN application_id IS NULL THEN ${wrappedKey('screening', sql`screening.tenant_id`, sql`screening.id`)}
  ELSE ${wrappedKey('application', sql`screening.tenant_id`, sql`screening.application_id`)} END AS wrapped`;
type Row = RowOf<typeof kept> & { readonly wrapped: Buffer | null };
export type ScreeningRecord = Omit<RowOf<typeof kept>, 'subject'> & { readonly subject: ScreenedSubject };

const ownHit = hit.except('tenantId', 'screeningId', 'environment');
export type HitRecord = Omit<RowOf<typeof ownHit>, 'content'> & HitContent;

type Key = { tenantId: string; id: string };

const find = statement<Key, Row>('screening.find', (p) => sql`SELECT ${found} FROM screening WHERE ${screening.equal({ tenantId: p.tenantId, id: p.id })}`);

const findHits = statement<{ tenantId: string; screeningId: string }, RowOf<typeof ownHit>>('screening.hits', (p) => sql`
  SELECT ${ownHit} FROM screening_hit WHERE ${hit.equal({ tenantId: p.tenantId, screeningId: p.screeningId })} ORDER BY position`);

const insert = statement<InsertOf<typeof screening>>('screening.insert', (p) => screening.insert(p));
const insertHit = statement<InsertOf<typeof hit>>('screening.insertHit', (p) => hit.insert(p));

const quota = statement<{ tenantId: string; from: Date }, { quota: number | null; used: number }>('screening.quota', (p) => sql`
  SELECT (quotas->>'screeningsPerDay')::bigint AS quota, (
    SELECT count(*) FROM screening WHERE ${screening.equal({ tenantId: p.tenantId, environment: 'live' })} AND created_at >= ${p.from}) AS used
  FROM tenant WHERE ${tenant.equal({ id: p.tenantId })}`);

export const placeOfSubject = (id: string): string => `screening subject ${id}`;
export const placeOfHit = (id: string): string => `screening_hit content ${id}`;

const keyOf = (tx: Transaction, { id, applicationId, wrapped }: Pick<Row, 'id' | 'applicationId'> & { readonly wrapped: Buffer }) =>
  unwrapped(tx, applicationId === null ? { type: 'screening', id } : { type: 'application', id: applicationId }, wrapped);

function opened(tx: Transaction, row: Row & { readonly wrapped: Buffer }): ScreeningRecord {
  const { wrapped: _, subject, ...rest } = row;
  return { ...rest, subject: openValue(keyOf(tx, row), placeOfSubject(row.id), subject) as ScreenedSubject };
}

const isKept = (row: Row): row is Row & { readonly wrapped: Buffer } => row.wrapped !== null;

/** What was found, and the hits with why they are; `erased` when its application is. */
export async function findScreening(tx: Transaction, id: string): Promise<{ readonly record: ScreeningRecord; readonly hits: readonly HitRecord[] } | 'erased' | null> {
  const tenantId = tx.tenantId!;
  const [[row], hits] = await Promise.all([tx.run(find, { tenantId, id }), tx.run(findHits, { tenantId, screeningId: id })]);
  if (row === undefined) return null;
  if (!isKept(row)) return 'erased';
  const key = keyOf(tx, row);
  return { record: opened(tx, row), hits: hits.map(({ content, ...own }) => ({ ...own, ...openValue(key, placeOfHit(own.id), content) as HitContent })) };
}

export function insertScreening(tx: Transaction, row: InsertOf<typeof screening>, hits: readonly InsertOf<typeof hit>[]): void {
  void tx.run(insert, row);
  for (const one of hits) void tx.run(insertHit, one);
}

/** How many screenings of the live environment there have been since an instant, and how many there may be. */
export async function screeningsSince(tx: Transaction, from: Date): Promise<{ readonly quota: number | null; readonly used: number }> {
  return (await tx.run(quota, { tenantId: tx.tenantId!, from }))[0]!;
}

export interface Filter {
  readonly environment: Environment;
  readonly results: readonly Schemas['ScreeningResult'][];
  readonly categories: readonly string[];
  readonly applicationId?: string | undefined;
  readonly listId?: string | undefined;
  readonly hasStaleLists?: boolean | undefined;
  readonly createdAfter?: Date | undefined;
  readonly createdBefore?: Date | undefined;
}

/** At most `count` rows after the position, without those whose application is erased. */
export async function listScreenings(tx: Transaction, filter: Filter, direction: 'asc' | 'desc', after: Position | null, count: number): Promise<ScreeningRecord[]> {
  return (await tx.query<Row>(listQuery(tx.tenantId!, filter, direction, after, count))).filter(isKept).map((row) => opened(tx, row));
}

function listQuery(tenantId: string, { environment, results, categories, applicationId, listId, hasStaleLists, createdAfter, createdBefore }: Filter, direction: 'asc' | 'desc', after: Position | null, count: number): Fragment {
  const page = keyset({ key: screening.column('createdAt'), type: sql`timestamptz`, id: sql`id`, direction }, after);
  const hasHit = (condition: Fragment): Fragment => sql`EXISTS (SELECT FROM screening_hit h WHERE h.tenant_id = screening.tenant_id AND h.screening_id = screening.id AND ${condition})`;
  return sql`
    SELECT * FROM (SELECT ${found} FROM screening WHERE ${every([
      screening.equal({ tenantId, environment }),
      results.length > 0 && sql`result = ANY (${results})`,
      applicationId !== undefined && screening.equal({ applicationId }),
      listId !== undefined && hasHit(sql`h.list_id = ${listId}`),
      categories.length > 0 && hasHit(sql`h.category = ANY (${categories})`),
      hasStaleLists !== undefined && sql`(cardinality(stale_lists) > 0) = ${hasStaleLists}`,
      createdAfter !== undefined && sql`created_at >= ${createdAfter}`,
      createdBefore !== undefined && sql`created_at < ${createdBefore}`,
      page.after,
    ])} ORDER BY ${page.order}) AS listed WHERE wrapped IS NOT NULL LIMIT ${count}`;
}
