import type { KeyObject } from 'node:crypto';
import type { components } from '../../../contract/generated/types.ts';
import type { Environment } from '../../../contract/operation.ts';
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
} from '../../../database/index.ts';
import type { EvidenceManifest } from '../../../rules/evidence.ts';
import { secondReview } from '../../second-review/index.ts';
import { openedRow, openText, sealText } from '../../subject-keys/index.ts';

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
    erasedAt: timestamp().nullable().defaulted().changes('the application of the decision is erased'),
  },
  {
    owner: 'subject',
    timeline: {
      'decision.proposed': null,
      'decision.auto_approved': null,
      'decision.confirmed': null,
      'decision.returned': 'in_review',
      'decision.invalidated': null,
    },
    sandboxReset: 'along',
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
type OfApplication = { tenantId: string; applicationId: string };

/** Highest number of decisions that a response shows. */
const SHOWN = 100;

const list = statement<OfApplication, Row>(
  'decision.list',
  (p) => sql`
  SELECT ${own}, r.checker AS "reviewedBy", r.note AS "reviewNote"
  FROM decision d LEFT JOIN second_review r ON r.tenant_id = d.tenant_id
    AND ${secondReview.as('r').equal({ subjectType: 'decision' })} AND r.subject_id = d.id
  WHERE ${decision.as('d').equal({ tenantId: p.tenantId, applicationId: p.applicationId })} ORDER BY d.sequence DESC
    LIMIT ${SHOWN}`,
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

const findPending = statement<OfApplication, Pick<Decision, 'id' | 'outcome'>>(
  'decision.findPending',
  (p) => sql`
  SELECT ${decision.select('id', 'outcome')} FROM decision
    WHERE ${decision.equal({ tenantId: p.tenantId, applicationId: p.applicationId, status: 'pending_review' })}`,
);

const findManifest = statement<OfApplication & { evidenceDigest: string }, { manifest: EvidenceManifest }>(
  'decision.findManifest',
  (p) => sql`
  SELECT manifest FROM decision
    WHERE ${decision.equal({ tenantId: p.tenantId, applicationId: p.applicationId, evidenceDigest: p.evidenceDigest })}
    LIMIT 1`,
);

const listOwnManifests = statement<OfApplication, { id: string; manifest: EvidenceManifest }>(
  'decision.listManifests',
  (p) => sql`
  SELECT id, manifest FROM decision WHERE ${decision.equal({ tenantId: p.tenantId, applicationId: p.applicationId })}
    ORDER BY sequence DESC LIMIT ${SHOWN}`,
);

const listIds = statement<OfApplication, { id: string }>(
  'decision.listIds',
  (p) => sql`
  SELECT id FROM decision WHERE ${decision.equal({ tenantId: p.tenantId, applicationId: p.applicationId })}`,
);

/** Returns the ids of all decisions of an application, including those that no response shows. */
export async function decisionIds(tx: Transaction, key: OfApplication): Promise<string[]> {
  return (await tx.run(listIds, key)).map(({ id }) => id);
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

/** Lists the decisions of an application, newest first. */
export function listDecisions(tx: Transaction, key: OfApplication): Promise<Decision[]> {
  return tx.run(list, key);
}

export function insertDecision(
  tx: Transaction,
  { reviewedBy: _reviewer, reviewNote: _note, ...made }: Decision,
  rest: OfApplication & { environment: Environment; manifest: EvidenceManifest },
): void {
  void tx.run(insert, { ...made, ...rest, businessId: null });
}

/** Ends a decision that waits for a second review. The caller must hold the lock on the application. */
export function endDecision(tx: Transaction, id: string, how: End): void {
  void tx.run(end, { tenantId: tx.tenantId!, id, ...how });
}

export async function findPendingDecision(
  tx: Transaction,
  key: OfApplication,
): Promise<Pick<Decision, 'id' | 'outcome'> | null> {
  const [row] = await tx.run(findPending, key);
  return row ?? null;
}

/** Finds the evidence manifest of a decision of the application by its digest; null if no decision has this digest. */
export async function findDecidedManifest(
  tx: Transaction,
  key: OfApplication & { evidenceDigest: string },
): Promise<EvidenceManifest | null> {
  const [row] = await tx.run(findManifest, key);
  return row?.manifest ?? null;
}

/** Lists the evidence manifests of the decisions that a response shows, newest first. */
export function listDecidedManifests(
  tx: Transaction,
  key: OfApplication,
): Promise<{ id: string; manifest: EvidenceManifest }[]> {
  return tx.run(listOwnManifests, key);
}
