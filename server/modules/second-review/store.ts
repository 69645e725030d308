/**
 * Table `second_review` and its statements. Used by second-review.ts and exported in part by the index. The row is
 * locked, so that of several verdicts one counts; notes about persons are erased with them.
 */
import type { components } from '../../contract/generated/types.ts';
import type { Environment } from '../../contract/operation.ts';
import {
  actor,
  code,
  type InsertOf,
  type RowOf,
  sql,
  statement,
  table,
  text,
  texts,
  timestampOfEitherClock,
  type Transaction,
  uuid,
} from '../../database/index.ts';
import { apiKey } from '../../identity/tables.ts';

type Actor = components['schemas']['Actor'];

/**
 * Types of proposals. For each, either the note of the reviewer is erased with the person whom the proposal concerns
 * (`eraseReviewNotes`), or it is kept because the proposal concerns no person, or it is stored with the proposal and
 * not here (`elsewhere`).
 */
const NOTES = {
  decision: 'erased',
  hit_decision: 'erased',
  list_version: 'kept',
  activation: 'kept',
  case_resolution: 'elsewhere',
  power: 'elsewhere',
} as const;

type ReviewedType = keyof typeof NOTES;
type ErasedType = { [T in ReviewedType]: (typeof NOTES)[T] extends 'erased' ? T : never }[ReviewedType];

/** Type and id of a proposal. Each proposal is reviewed once. */
export interface ReviewSubject {
  readonly type: ReviewedType;
  readonly id: string;
}

/** State of a second review. Every state except `pending` is final. */
type ReviewState = 'pending' | 'confirmed' | 'returned' | 'invalidated';

/** Reasons of the changes with which a verdict ends a review. */
const BY_VERDICT = {
  app: 'a second reviewer gives a verdict, or the proposal lapses',
  platform: 'a second administrator gives a verdict on a list version, or the proposal lapses',
};

export const secondReview = table(
  'second_review',
  {
    tenantId: uuid(),
    id: uuid(),
    environment: code<Environment>(),
    subjectType: code<ReviewSubject['type']>(),
    subjectId: uuid(),
    maker: actor(),
    // Ids of the people who count as the maker.
    makerPersons: texts(),
    digest: text(),
    state: code<ReviewState>().defaulted().changes(BY_VERDICT),
    checker: actor().nullable().defaulted().changes(BY_VERDICT),
    note: text().nullable().defaulted().changes(BY_VERDICT),
    createdAt: timestampOfEitherClock(),
    closedAt: timestampOfEitherClock().nullable().defaulted().changes(BY_VERDICT),
    erasedAt: timestampOfEitherClock().nullable().defaulted().changes('the application of the review is erased'),
  },
  {
    owner: 'tenant',
    sandboxReset: 'emptied',
    insertedBy: 'both',
    updatedBy: 'app',
    example: { subjectType: 'decision', makerPersons: ['${USER}'], digest: 'd' },
  },
);

const wire = secondReview.select('makerPersons', 'digest', 'state');

type Key = { tenantId: string; subjectType: ReviewSubject['type']; subjectId: string };

const insert = statement<InsertOf<typeof secondReview>>('secondReview.insert', (p) => secondReview.insert(p));

/** Locks a review until the end of the transaction, so that of many verdicts one counts. */
const lock = statement<Key, RowOf<typeof wire>>(
  'secondReview.lock',
  (p) => sql`
  SELECT ${wire} FROM second_review
    WHERE ${secondReview.equal({ tenantId: p.tenantId, subjectType: p.subjectType, subjectId: p.subjectId })}
    FOR UPDATE`,
);

const shown = secondReview.select('maker', 'digest', 'state', 'checker', 'note', 'createdAt', 'closedAt');
export type ShownReview = RowOf<typeof shown>;

const find = statement<Key, ShownReview>(
  'secondReview.find',
  (p) => sql`
  SELECT ${shown} FROM second_review
    WHERE ${secondReview.equal({ tenantId: p.tenantId, subjectType: p.subjectType, subjectId: p.subjectId })}`,
);

type ReviewEnd = {
  readonly state: ReviewState;
  readonly checker: Actor | null;
  readonly note: string | null;
  readonly now: Date;
};

const close = statement<Key & ReviewEnd>(
  'secondReview.close',
  (p) => sql`
  UPDATE second_review SET ${secondReview.assign({
    state: p.state,
    checker: p.checker,
    note: p.note,
    closedAt: p.now,
  })}
  WHERE ${secondReview.equal({
    tenantId: p.tenantId,
    subjectType: p.subjectType,
    subjectId: p.subjectId,
    state: 'pending',
  })}`,
  { expectRows: 1 },
);

const erase = statement<{
  tenantId: string;
  subjectType: ReviewSubject['type'];
  subjectIds: readonly string[];
  now: Date;
}>(
  'secondReview.erase',
  (p) => sql`
  UPDATE second_review SET ${secondReview.assign({ note: null, erasedAt: p.now })}
  WHERE ${secondReview.equal({ tenantId: p.tenantId, subjectType: p.subjectType })}
    AND subject_id = ANY (${p.subjectIds})`,
);

/**
 * Finds the people who created or granted a key of these clients: they have had its secret, or that of the key that
 * created it.
 */
const findPersons = statement<{ tenantId: string; clients: readonly string[] }, { person: string }>(
  'secondReview.personsOfKey',
  (p) => sql`
  SELECT granted_by::text AS person FROM api_key WHERE ${apiKey.equal({ tenantId: p.tenantId })}
    AND client_id = ANY (${p.clients}) AND granted_by IS NOT NULL
  UNION
  SELECT created_by ->> 'id' FROM api_key WHERE ${apiKey.equal({ tenantId: p.tenantId })}
    AND client_id = ANY (${p.clients}) AND created_by ->> 'type' = 'user'`,
);

const keyOf = (tx: Transaction, { type, id }: ReviewSubject): Key => ({
  tenantId: tx.tenantId!,
  subjectType: type,
  subjectId: id,
});

export function insertReview(tx: Transaction, review: InsertOf<typeof secondReview>): void {
  void tx.run(insert, review);
}

export async function lockReview(tx: Transaction, subject: ReviewSubject): Promise<RowOf<typeof wire> | null> {
  const [row] = await tx.run(lock, keyOf(tx, subject));
  return row ?? null;
}

/** Finds the review of a proposal, whatever its state. */
export async function findReview(tx: Transaction, subject: ReviewSubject): Promise<ShownReview | null> {
  return (await tx.run(find, keyOf(tx, subject)))[0] ?? null;
}

export function closeReview(tx: Transaction, subject: ReviewSubject, end: ReviewEnd): void {
  void tx.run(close, { ...keyOf(tx, subject), ...end });
}

/** Erases the notes of reviews. The verdicts stay. */
export function eraseReviewNotes(
  tx: Transaction,
  subjectType: ErasedType,
  subjectIds: readonly string[],
  now: Date,
): void {
  void tx.run(erase, {
    tenantId: tx.tenantId!,
    subjectType,
    subjectIds,
    now,
  });
}

export async function personsOfKeys(tx: Transaction, clients: readonly string[]): Promise<string[]> {
  return (await tx.run(findPersons, { tenantId: tx.tenantId!, clients })).map(({ person }) => person);
}
