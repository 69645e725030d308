/** Tables `screening` and `screening_hit` and their statements, for nearly all files of this module. */
import type { Uuid } from '../../base/uuid.ts';
import { createHmac, type KeyObject } from 'node:crypto';
import type { components } from '../../contract/generated/types.ts';
import type { Environment } from '../../contract/operation.ts';
import {
  actor,
  boolean,
  code,
  codes,
  digest,
  double,
  type InsertOf,
  integer,
  json,
  type RowOf,
  sql,
  statement,
  table,
  businessTimestamp,
  type Transaction,
  uuid,
} from '../../database/index.ts';
import { lockUntilCommit } from '../../database/advisory-lock.ts';
import { tenant } from '../../identity/tables.ts';
import type { Judgement } from '../../screening/engine/judgement.ts';
import type { ListedEntity } from '../../screening/listed-entity.ts';
import { screenedSubject, sealContextOfHit, sealContextOfSubject } from '../applications/index.ts';
import { SHIPPED_PROFILE } from '../tenant-settings/index.ts';
import { openValue, type Sealed, unwrapped, wrappedKey } from '../subject-keys/index.ts';
import type { ScreenedListId } from '../watch-lists/index.ts';
import { type Lines, linesAt, linesFor } from './bands.ts';

type Schemas = components['schemas'];
export type ScreenedSubject = Schemas['ScreenedSubject'];

/** A searched list with its version. */
export interface SearchedList {
  readonly listId: ScreenedListId;
  readonly version: string;
  readonly sequence: number;
  readonly publishedOn: string | null;
}

export const screening = table(
  'screening',
  {
    tenantId: uuid(),
    id: uuid(),
    environment: code<Environment>(),
    applicationId: uuid().nullable(),
    // The application, or the first screening of the subject.
    subjectId: uuid(),
    previousScreeningId: uuid().nullable(),
    diff: json<Schemas['ScreeningDiff']>().nullable().impersonal('ids of hits identify nobody'),
    result: code<Schemas['ScreeningResult']>().changes('a user decides the hits of the screening'),
    subject: json<Sealed>().sealed(),
    // Contains a threshold only if a request has set one.
    criteria: json<
      Omit<Schemas['ScreeningCriteria'], 'threshold'> & Partial<Pick<Schemas['ScreeningCriteria'], 'threshold'>>
    >().impersonal('the lists and score lines of the search'),
    lists: json<readonly SearchedList[]>().impersonal('versions of the searched lists'),
    staleLists: codes<ScreenedListId>(),
    hitCount: integer(),
    openHitCount: integer().changes('a user decides the hits of the screening'),
    truncated: boolean(),
    // Whether all names could be compared.
    comparable: boolean(),
    algorithmVersion: code(),
    profileVersion: integer().nullable(),
    // Lines of the profile for the kind of subject.
    lines: json<Lines>().nullable().impersonal('score lines of the screening profile'),
    durationMs: integer(),
    createdAt: businessTimestamp(),
    createdBy: actor(),
  },
  {
    owner: 'screening',
    sandboxReset: 'emptied',
    insertedBy: 'app',
    example: {
      result: 'clear',
      lists: [],
      hitCount: 0,
      openHitCount: 0,
      truncated: false,
      algorithmVersion: 'm2',
    },
  },
);

export const screeningHit = table(
  'screening_hit',
  {
    tenantId: uuid(),
    id: uuid(),
    screeningId: uuid(),
    environment: code<Environment>(),
    position: integer(),
    listId: code<ScreenedListId>(),
    category: code<Schemas['HitCategory']>(),
    score: double(),
    subjectId: uuid(),
    // MAC that identifies the entity without revealing it, and hashes of the compared data of entity and subject.
    entityMac: digest(),
    entityHash: digest(),
    subjectHash: digest(),
    status: code<Schemas['HitStatus']>().changes('a user decides the hit, or the allow-list no longer dismisses it'),
    decisionId: uuid().nullable().changes('a user decides the hit, or the allow-list no longer dismisses it'),
    // Entry of the allow-list that makes a decision unnecessary.
    allowlistEntryId: uuid().nullable().changes('a user decides the hit, or the allow-list no longer dismisses it'),
    content: json<Sealed>().sealed(),
  },
  {
    owner: 'screening',
    sandboxReset: 'cascade',
    insertedBy: 'app',
    example: {
      position: 0,
      listId: 'un-csnu',
      category: 'sanction',
      score: 0.9,
      status: 'open',
    },
  },
);

/**
 * The part of a hit that reveals the subject: the matched entity and the reasons; and what has changed since the
 * decision.
 */
export interface HitContent {
  readonly entityKey: string;
  /** Copy of the entity if the list does not retain it: a tenant's own list is deleted when another replaces it. */
  readonly entity?: ListedEntity;
  readonly judgement: Judgement;
  readonly reopened: { readonly decisionId: string; readonly changes: Schemas['HitChange'][] } | null;
}

const columns = screening.except('tenantId');
/** The newest screening of the subject of a row, unless it is the row itself. */
const supersededBy = sql`(SELECT nullif(n.id, screening.id) FROM screening n WHERE n.tenant_id = screening.tenant_id
  AND n.subject_id = screening.subject_id ORDER BY n.sequence DESC LIMIT 1)`;
/** Columns of a row with the key that seals its subject. Without a key the application was erased. */
export const screeningColumns = sql`${columns}, ${supersededBy} AS "supersededById", CASE WHEN application_id IS NULL
  THEN ${wrappedKey('screening', sql`screening.tenant_id`, sql`screening.subject_id`)}
  ELSE ${wrappedKey('application', sql`screening.tenant_id`, sql`screening.application_id`)} END AS wrapped`;
export type ScreeningRow = RowOf<typeof columns> & {
  readonly supersededById: Uuid | null;
  readonly wrapped: Buffer | null;
};
type ReadableRow = ScreeningRow & { readonly wrapped: Buffer };
/**
 * `lines` are the lines that determined the hits; `settingsLines` are those of the settings, without the threshold of
 * the request.
 */
export type ScreeningRecord = Omit<ScreeningRow, 'subject' | 'lines' | 'wrapped'> & {
  readonly subject: ScreenedSubject;
  readonly lines: Lines;
  readonly settingsLines: Lines;
};

const ownHit = screeningHit.except('tenantId', 'screeningId', 'environment');
export type HitRecord = Omit<RowOf<typeof ownHit>, 'content'> & HitContent;

type Key = { tenantId: string; id: string };

const find = statement<Key, ScreeningRow>(
  'screening.find',
  (p) => sql`SELECT ${screeningColumns} FROM screening WHERE ${screening.equal({ tenantId: p.tenantId, id: p.id })}`,
);

const findNewest = statement<{ tenantId: string; subjectId: string }, ScreeningRow>(
  'screening.findNewest',
  (p) => sql`
  SELECT ${screeningColumns} FROM screening WHERE ${screening.equal({ tenantId: p.tenantId, subjectId: p.subjectId })}
    ORDER BY sequence DESC LIMIT 1`,
);

const findHits = statement<{ tenantId: string; screeningId: string }, RowOf<typeof ownHit>>(
  'screening.hits',
  (p) => sql`
  SELECT ${ownHit} FROM screening_hit WHERE ${screeningHit.equal({ tenantId: p.tenantId, screeningId: p.screeningId })}
    ORDER BY position`,
);

const insert = statement<InsertOf<typeof screening>>('screening.insert', (p) => screening.insert(p));
const insertHit = statement<InsertOf<typeof screeningHit>>('screening.insertHit', (p) => screeningHit.insert(p));

const quota = statement<{ tenantId: string; from: Date }, { quota: number | null; used: number }>(
  'screening.quota',
  (p) => sql`
  SELECT (quotas->>'screeningsPerDay')::bigint AS quota, (
    SELECT count(*) FROM screening WHERE ${screening.equal({ tenantId: p.tenantId, environment: 'live' })}
      AND created_at >= ${p.from} AND created_by ->> 'type' <> 'system') AS used
  FROM tenant WHERE ${tenant.equal({ id: p.tenantId })}`,
);

/** Returns a MAC that replaces a value that the database must not reveal. */
export function macOf(tx: Transaction, what: 'entity' | 'subject', value: string): Buffer {
  return createHmac('sha256', tx.tenantKey('screening')).update(`${what}\n${value}`).digest();
}

/** Returns the key of a screening that is not erased. */
export function keyOf(
  tx: Transaction,
  { subjectId, applicationId, wrapped }: Pick<ReadableRow, 'subjectId' | 'applicationId' | 'wrapped'>,
): KeyObject {
  return unwrapped(tx, { type: applicationId === null ? 'screening' : 'application', id: subjectId }, wrapped);
}

export function opened(tx: Transaction, row: ReadableRow): ScreeningRecord {
  const { wrapped: _, subject: sealed, lines, ...rest } = row;
  const subject = screenedSubject(openValue(keyOf(tx, row), sealContextOfSubject(row.id), sealed));
  // In screenings from before there were profiles, the threshold of the criteria applied to all lists, and there were
  // no bands: the shipped profile provides them.
  const settingsLines = lines ?? linesFor(subject, SHIPPED_PROFILE);
  return {
    ...rest,
    subject,
    settingsLines,
    lines: linesAt(settingsLines, rest.criteria.threshold),
  };
}

export const isReadable = (row: ScreeningRow): row is ReadableRow => row.wrapped !== null;

export interface FoundScreening {
  readonly record: ScreeningRecord;
  readonly hits: readonly HitRecord[];
  readonly key: KeyObject;
}

async function withHits(tx: Transaction, row: ScreeningRow | undefined): Promise<FoundScreening | 'erased' | null> {
  if (row === undefined) return null;
  if (!isReadable(row)) return 'erased';
  const key = keyOf(tx, row);
  const hits = await tx.run(findHits, { tenantId: tx.tenantId!, screeningId: row.id });
  return {
    key,
    record: opened(tx, row),
    hits: hits.map(({ content, ...own }) => ({
      ...own,
      ...(openValue(key, sealContextOfHit(own.id), content) as HitContent),
    })),
  };
}

export interface StoredScreening {
  readonly environment: Environment;
  readonly screening: FoundScreening | 'erased';
}

/** Finds a screening, whose environment is known even if it is erased. */
export async function findStored(tx: Transaction, id: string): Promise<StoredScreening | null> {
  const [row] = await tx.run(find, { tenantId: tx.tenantId!, id });
  const screening = await withHits(tx, row);
  return row === undefined || screening === null ? null : { environment: row.environment, screening };
}

/** Returns a screening with its hits and their reasons, or `erased` if its application is erased. */
export async function findScreening(tx: Transaction, id: string): Promise<FoundScreening | 'erased' | null> {
  return (await findStored(tx, id))?.screening ?? null;
}

/**
 * Locks a subject until the end of the transaction, so that no other transaction screens it or decides about its hits.
 * The lock is not on a row, because a waiting query would return the row that was the newest when the query started.
 */
export function lockSubject(tx: Transaction, subjectId: string): void {
  void lockUntilCommit(tx, 'screenedSubject', `${tx.tenantId} ${subjectId}`);
}

/** Locks a subject and returns its last screening. */
export async function lockNewestScreening(tx: Transaction, subjectId: string): Promise<FoundScreening | null> {
  lockSubject(tx, subjectId);
  const [row] = await tx.run(findNewest, { tenantId: tx.tenantId!, subjectId });
  const found = await withHits(tx, row);
  return found === 'erased' ? null : found;
}

export function insertScreening(
  tx: Transaction,
  row: InsertOf<typeof screening>,
  hits: readonly InsertOf<typeof screeningHit>[],
): void {
  void tx.run(insert, row);
  for (const one of hits) void tx.run(insertHit, one);
}

/** Returns how many screenings of the live environment were requested since an instant, and the quota. */
export async function screeningsSince(
  tx: Transaction,
  from: Date,
): Promise<{ readonly quota: number | null; readonly used: number }> {
  return (await tx.run(quota, { tenantId: tx.tenantId!, from }))[0]!;
}
