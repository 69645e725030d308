/**
 * Table `hit_decision`, the ledger of decisions about hits, and the statements that apply a decision to stored hits.
 * Used by decisions, carry-over and the allow-list. Rows are only added, except for the result of a second review;
 * callers hold the lock on the subject.
 */
import type { BusinessTimestamp } from '../../base/time.ts';
import type { KeyObject } from 'node:crypto';
import type { components } from '../../contract/generated/types.ts';
import type { Environment } from '../../contract/operation.ts';
import {
  actor,
  bigint,
  code,
  digest,
  double,
  type InsertOf,
  integer,
  type RowOf,
  sql,
  statement,
  table,
  text,
  businessTimestamp,
  type Transaction,
  uuid,
} from '../../database/index.ts';
import { openedRow, sealedRow } from '../subject-keys/index.ts';
import type { ScreenedListId } from '../watch-lists/index.ts';
import { RESULT } from './result-store.ts';
import { screening, screeningHit } from './store.ts';

type Schemas = components['schemas'];
export type Verdict = Schemas['HitVerdict'];

/**
 * Ledger of decisions about hits, each for a subject and an entity as both were at the time. Rows are only added; the
 * result of a second review is written beside the decision.
 */
export const hitDecision = table(
  'hit_decision',
  {
    tenantId: uuid(),
    id: uuid(),
    environment: code<Environment>(),
    screeningId: uuid(),
    hitId: uuid(),
    subjectId: uuid(),
    listId: code<ScreenedListId>(),
    listSequence: integer(),
    entityMac: digest(),
    entityHash: digest(),
    subjectHash: digest(),
    status: code<Verdict>(),
    reasonCode: code<Schemas['HitReason']>(),
    note: text().sealed(),
    state: code<'proposed' | 'effective' | 'returned'>().changes(
      'a second reviewer confirms or returns the decision, which then takes effect',
    ),
    createdBy: actor(),
    createdAt: businessTimestamp(),
    reviewedBy: actor()
      .nullable()
      .defaulted()
      .changes('a second reviewer confirms or returns the decision, which then takes effect'),
    reviewNote: text()
      .nullable()
      .sealed()
      .defaulted()
      .changes('a second reviewer confirms or returns the decision, which then takes effect'),
    // Order in which decisions took effect.
    sequence: bigint()
      .defaulted()
      .changes('a second reviewer confirms or returns the decision, which then takes effect'),
    // Upper bound of a dismissal: it does not apply to a hit with this score or a higher one (dismissals.ts).
    holdsBelow: double().nullable(),
  },
  {
    owner: 'screening',
    sandboxReset: 'cascade',
    insertedBy: 'app',
    example: {
      listId: 'un-csnu',
      status: 'false_positive',
      reasonCode: 'other',
      note: 'n',
      state: 'proposed',
    },
  },
);

const own = hitDecision.except('tenantId', 'environment', 'sequence');
export type HitDecision = RowOf<typeof own>;

type OfSubject = { tenantId: string; subjectId: string };

/**
 * Lists the decisions about a subject. They are few, so all of them are read. They are in the order in which they took
 * effect: the database numbers each under the lock of the subject, and a proposal again once it is settled.
 */
const list = statement<OfSubject, HitDecision>(
  'hitDecision.list',
  (p) => sql`
  SELECT ${own} FROM hit_decision WHERE ${hitDecision.equal({ tenantId: p.tenantId, subjectId: p.subjectId })}
    ORDER BY sequence`,
);

const insert = statement<InsertOf<typeof hitDecision>>('hitDecision.insert', (p) => hitDecision.insert(p));

const settle = statement<{
  tenantId: string;
  id: string;
  state: 'effective' | 'returned';
  reviewedBy: Schemas['Actor'];
  reviewNote: string;
}>(
  'hitDecision.settle',
  (p) => sql`
  UPDATE hit_decision
    SET ${hitDecision.assign({ state: p.state, reviewedBy: p.reviewedBy, reviewNote: p.reviewNote })},
    sequence = DEFAULT WHERE ${hitDecision.equal({ tenantId: p.tenantId, id: p.id, state: 'proposed' })}`,
  { expectRows: 1 },
);

type Same = OfSubject & {
  listId: ScreenedListId;
  entityMac: Buffer;
  entityHash: Buffer;
  subjectHash: Buffer;
};

const applyToHits = statement<Same & { status: Verdict; decisionId: string; holdsBelow: number | null }>(
  'hitDecision.applyToHits',
  (p) => sql`
  UPDATE screening_hit
    SET ${screeningHit.assign({ status: p.status, decisionId: p.decisionId, allowlistEntryId: null })}
  WHERE ${screeningHit.equal({
    tenantId: p.tenantId,
    subjectId: p.subjectId,
    listId: p.listId,
    entityMac: p.entityMac,
    entityHash: p.entityHash,
    subjectHash: p.subjectHash,
  })} AND coalesce(score < ${p.holdsBelow}, true)`,
);

const applyToScreenings = statement<OfSubject>(
  'hitDecision.applyToScreenings',
  (p) => sql`
  UPDATE screening SET open_hit_count = open_hits, result = ${RESULT} FROM (
    SELECT s.id AS of_id, coalesce(array_agg(h.status) FILTER (WHERE h.id IS NOT NULL), '{}')
      AS statuses, (count(*) FILTER (WHERE h.status IN ('open', 'inconclusive')))::integer AS open_hits
    FROM screening s LEFT JOIN screening_hit h ON h.tenant_id = s.tenant_id AND h.screening_id = s.id
    WHERE ${screening.as('s').equal({ tenantId: p.tenantId, subjectId: p.subjectId })} GROUP BY s.id) AS counted
  WHERE ${screening.equal({ tenantId: p.tenantId })} AND screening.id = of_id`,
);

/** Returns all decisions about a subject in the order in which they took effect, with their notes in plain text. */
export async function decisionsAbout(tx: Transaction, subjectId: string, key: KeyObject): Promise<HitDecision[]> {
  const rows = await tx.run(list, { tenantId: tx.tenantId!, subjectId });
  return rows.map((row) => openedRow(hitDecision, row, key));
}

export function insertDecision(tx: Transaction, row: InsertOf<typeof hitDecision>, key: KeyObject): void {
  void tx.run(insert, sealedRow(hitDecision, row, key));
}

export function settleDecision(
  tx: Transaction,
  id: string,
  {
    state,
    reviewedBy,
    note,
  }: { readonly state: 'effective' | 'returned'; readonly reviewedBy: Schemas['Actor']; readonly note: string },
  key: KeyObject,
): void {
  void tx.run(settle, {
    tenantId: tx.tenantId!,
    state,
    reviewedBy,
    ...sealedRow(hitDecision, { id, reviewNote: note }, key),
  });
}

/**
 * Applies a decision to the same entity and the same subject in every screening. A dismissal applies only to hits below
 * its bound, which is never above the score that takes two people.
 */
export function applyDecision(
  tx: Transaction,
  {
    id,
    status,
    subjectId,
    listId,
    entityMac,
    entityHash,
    subjectHash,
    holdsBelow,
  }: Pick<
    HitDecision,
    'id' | 'status' | 'subjectId' | 'listId' | 'entityMac' | 'entityHash' | 'subjectHash' | 'holdsBelow'
  >,
): void {
  const tenantId = tx.tenantId!;
  void tx.run(applyToHits, {
    tenantId,
    subjectId,
    listId,
    entityMac,
    entityHash,
    subjectHash,
    status,
    holdsBelow,
    decisionId: id,
  });
  countHits(tx, subjectId);
}

/** Recounts the open hits and the result of all screenings of a subject. */
export function countHits(tx: Transaction, subjectId: string): void {
  void tx.run(applyToScreenings, { tenantId: tx.tenantId!, subjectId });
}

const held = statement<OfSubject, { screenings: number; confirmedAt: BusinessTimestamp | null }>(
  'hitDecision.held',
  (p) => sql`
  SELECT (SELECT count(*) FROM screening
    WHERE ${screening.equal({ tenantId: p.tenantId, subjectId: p.subjectId })})::integer AS screenings, (
    SELECT max(d.created_at) FROM screening_hit h
      JOIN hit_decision d ON d.tenant_id = h.tenant_id AND d.id = h.decision_id
    WHERE ${screeningHit.as('h').equal({ tenantId: p.tenantId, subjectId: p.subjectId, status: 'true_positive' })})
      AS "confirmedAt"`,
);

/** Returns the number of screenings of a subject, and when a hit was last confirmed, or null if none was. */
export async function heldBy(
  tx: Transaction,
  subjectId: string,
): Promise<{ readonly screenings: number; readonly confirmedAt: BusinessTimestamp | null }> {
  return (await tx.run(held, { tenantId: tx.tenantId!, subjectId }))[0]!;
}
