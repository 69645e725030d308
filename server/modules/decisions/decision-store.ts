/**
 * Table `decision` with the manifest of its evidence, and its statements. Used by decide.ts and exported by the index.
 * Notes are sealed under the key of the subject, so after an erasure they cannot be read. Callers that end a decision
 * hold the lock on the subject.
 */
import type { KeyObject } from 'node:crypto';
import type { components } from '../../contract/generated/types.ts';
import type { Environment } from '../../contract/operation.ts';
import {
  actor,
  code,
  codes,
  type InsertOf,
  integer,
  json,
  type RowOf,
  sql,
  statement,
  table,
  text,
  timestamp,
  type Transaction,
  uuid,
} from '../../database/index.ts';
import type { EvidenceManifest } from '../../rules/evidence.ts';
import type { Subject } from '../../rules/subject.ts';
import { secondReview } from '../second-review/index.ts';
import { openedRow, openText, sealText } from '../subject-keys/index.ts';
import { bySubject, keyOf, type OfSubject, subjectMembers } from '../../rules/subject-rows.ts';

/** Complete decision. A reader may see fewer members. */
export type Decision = components['schemas']['Decision'] & { readonly evidenceDigest: string };

/** Decisions. The reviewer and the review note are in the table of second reviews. */
export const decision = table(
  'decision',
  {
    id: uuid(),
    outcome: code<Decision['outcome']>(),
    rejectType: code<NonNullable<Decision['rejectType']>>().nullable(),
    reasonCodes: codes(),
    note: text().sealed().erasedTo(''),
    applicantMessage: text().nullable().sealed().erasedTo(null),
    status: code<Decision['status']>().changes(
      'a second reviewer confirms or returns the decision, or the evidence changes',
    ),
    fourEyesReasons: codes().erasedTo([]),
    evidenceDigest: text().impersonal('a digest of the evidence manifest'),
    policyVersion: integer(),
    riskAssessmentId: uuid().nullable(),
    madeBy: actor(),
    createdAt: timestamp(),
    effectiveAt: timestamp()
      .nullable()
      .changes('a second reviewer confirms or returns the decision, or the evidence changes'),
    tenantId: uuid(),
    applicationId: uuid().nullable(),
    businessId: uuid().nullable(),
    environment: code<Environment>(),
    manifest: json<EvidenceManifest>().impersonal('ids, versions and digests of the evidence'),
    erasedAt: timestamp().nullable().defaulted().changes('the subject of the decision is erased'),
  },
  {
    owner: 'applicationOrBusiness',
    timeline: {
      'decision.proposed': null,
      'decision.auto_approved': null,
      'decision.confirmed': null,
      'decision.returned': 'in_review',
      'decision.invalidated': null,
    },
    sandboxReset: 'cascade',
    insertedBy: 'app',
    example: {
      outcome: 'approve',
      reasonCodes: ['low_risk'],
      note: 'Nothing unusual.',
      status: 'pending_review',
      fourEyesReasons: ['pep_declared'],
      evidenceDigest: 'd',
    },
  },
);

const own = decision.as('d').except('tenantId', 'applicationId', 'businessId', 'environment', 'manifest', 'erasedAt');

type Row = RowOf<typeof own> & Pick<Decision, 'reviewedBy' | 'reviewNote'>;

/** Highest number of decisions that a response shows. */
const SHOWN = 100;

const list = bySubject((member, kind) =>
  statement<OfSubject, Row>(
    `decision.list.${kind}`,
    (p) => sql`
  SELECT ${own}, r.checker AS "reviewedBy", r.note AS "reviewNote"
  FROM decision d LEFT JOIN second_review r ON r.tenant_id = d.tenant_id
    AND ${secondReview.as('r').equal({ subjectType: 'decision' })} AND r.subject_id = d.id
  WHERE ${decision.as('d').equal({ tenantId: p.tenantId, [member]: p.subjectId })} ORDER BY d.sequence DESC
    LIMIT ${SHOWN}`,
  ),
);

const insert = statement<InsertOf<typeof decision>>('decision.insert', (p) => decision.insert(p));

type End = { status: Exclude<Decision['status'], 'pending_review'>; effectiveAt: string | null };

const end = statement<{ tenantId: string; id: string } & End>(
  'decision.end',
  (p) => sql`
  UPDATE decision SET ${decision.assign({ status: p.status, effectiveAt: p.effectiveAt })}
    WHERE ${decision.equal({ tenantId: p.tenantId, id: p.id, status: 'pending_review' })}`,
  { expectRows: 1 },
);

const findPending = bySubject((member, kind) =>
  statement<OfSubject, Pick<Decision, 'id' | 'outcome'>>(
    `decision.findPending.${kind}`,
    (p) => sql`
  SELECT ${decision.select('id', 'outcome')} FROM decision
    WHERE ${decision.equal({ tenantId: p.tenantId, [member]: p.subjectId, status: 'pending_review' })}`,
  ),
);

const findManifest = bySubject((member, kind) =>
  statement<OfSubject & { evidenceDigest: string }, { manifest: EvidenceManifest }>(
    `decision.findManifest.${kind}`,
    (p) => sql`
  SELECT manifest FROM decision
    WHERE ${decision.equal({ tenantId: p.tenantId, [member]: p.subjectId, evidenceDigest: p.evidenceDigest })}
    LIMIT 1`,
  ),
);

const listManifests = bySubject((member, kind) =>
  statement<OfSubject, { id: string; manifest: EvidenceManifest }>(
    `decision.listManifests.${kind}`,
    (p) => sql`
  SELECT id, manifest FROM decision WHERE ${decision.equal({ tenantId: p.tenantId, [member]: p.subjectId })}
    ORDER BY sequence DESC LIMIT ${SHOWN}`,
  ),
);

const listIds = bySubject((member, kind) =>
  statement<OfSubject, { id: string }>(
    `decision.listIds.${kind}`,
    (p) => sql`
  SELECT id FROM decision WHERE ${decision.equal({ tenantId: p.tenantId, [member]: p.subjectId })}`,
  ),
);

const findAny = bySubject((member, kind) =>
  statement<OfSubject>(
    `decision.findAny.${kind}`,
    (p) => sql`
  SELECT FROM decision WHERE ${decision.equal({ tenantId: p.tenantId, [member]: p.subjectId })} LIMIT 1`,
  ),
);

/** Returns whether a decision about a subject was ever made, in any status. */
export async function hasDecision(tx: Transaction, subject: Subject): Promise<boolean> {
  return (await tx.count(findAny(subject), keyOf(tx, subject))) > 0;
}

/** Returns the ids of all decisions about a subject, including those that no response shows. */
export async function decisionIds(tx: Transaction, subject: Subject): Promise<string[]> {
  return (await tx.run(listIds(subject), keyOf(tx, subject))).map(({ id }) => id);
}

/** Returns the sealing context of a review note. The note is stored in the second review and read with the decision. */
const reviewNoteContext = (decisionId: string): string => `decision reviewNote ${decisionId}`;

export function sealedReviewNote(decisionId: string, note: string, key: KeyObject): string {
  return sealText(key, reviewNoteContext(decisionId), note);
}

/** Unseals the texts of a decision. */
export function openedDecision(row: Decision, key: KeyObject | null): Decision {
  return {
    ...openedRow(decision, row, key),
    reviewNote: row.reviewNote === null ? null : openText(key, reviewNoteContext(row.id), row.reviewNote),
  };
}

/** Lists the decisions about a subject, newest first. */
export function listDecisions(tx: Transaction, subject: Subject): Promise<Decision[]> {
  return tx.run(list(subject), keyOf(tx, subject));
}

/** Inserts a decision whose texts are sealed, about the subject of the manifest. */
export function insertDecision(
  tx: Transaction,
  { reviewedBy: _reviewer, reviewNote: _note, ...made }: Decision,
  manifest: EvidenceManifest,
): void {
  const { subject, environment } = manifest;
  void tx.run(insert, {
    ...made,
    tenantId: tx.tenantId!,
    ...subjectMembers(subject),
    environment,
    manifest,
  });
}

/** Ends a decision that waits for a second review. The caller must hold the lock on the subject. */
export function endDecision(tx: Transaction, id: string, how: End): void {
  void tx.run(end, { tenantId: tx.tenantId!, id, ...how });
}

export async function findPendingDecision(
  tx: Transaction,
  subject: Subject,
): Promise<Pick<Decision, 'id' | 'outcome'> | null> {
  const [row] = await tx.run(findPending(subject), keyOf(tx, subject));
  return row ?? null;
}

/** Finds the evidence manifest of a decision about the subject by its digest; null if no decision has this digest. */
export async function findDecidedManifest(
  tx: Transaction,
  subject: Subject,
  digest: string,
): Promise<EvidenceManifest | null> {
  const [row] = await tx.run(findManifest(subject), { ...keyOf(tx, subject), evidenceDigest: digest });
  return row?.manifest ?? null;
}

/** Lists the evidence manifests of the decisions that a response shows, newest first. */
export function listDecidedManifests(
  tx: Transaction,
  subject: Subject,
): Promise<{ id: string; manifest: EvidenceManifest }[]> {
  return tx.run(listManifests(subject), keyOf(tx, subject));
}
