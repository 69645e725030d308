/**
 * The record of an application and the rules of its status, without input or output. Used by nearly all files of this
 * module. Transitions follow from the contract (`x-state-transitions`); a step from a wrong status is a 409 with the
 * allowed ones. Times are by the clock of the environment, never the real one.
 */
import {
  addMilliseconds,
  type BusinessTime,
  type BusinessTimestamp,
  DAY_MILLISECONDS,
  nextChangeTime,
  readBusinessTime,
  readStatedTime,
} from '../../../base/time.ts';
import { operations } from '../../../contract/generated/operations.ts';
import type { components } from '../../../contract/generated/types.ts';
import { Problem } from '../../../contract/problem.ts';
import type { Subject } from '../../../rules/subject.ts';
import type { Document } from '../../documents/index.ts';

type Schemas = components['schemas'];
/** Wire types of the contract under shorter names. */
export type Application = Schemas['Application'];
type ApplicationStatus = Schemas['ApplicationStatus'];
export type Applicant = Schemas['Applicant'];
export type Requirement = Schemas['Requirement'];
export type DiligenceLevel = Schemas['DiligenceLevel'];
export type Metadata = Schemas['Metadata'];

/** Times of an application, all by the clock of its environment. */
interface ApplicationTimes {
  readonly submittedAt: BusinessTimestamp | null;
  readonly decidedAt: BusinessTimestamp | null;
  readonly validUntil: BusinessTimestamp | null;
  readonly reviewDueAt: BusinessTimestamp | null;
  readonly relationshipEndedAt: BusinessTimestamp | null;
  readonly expiresAt: BusinessTimestamp | null;
  readonly createdAt: BusinessTimestamp;
  readonly updatedAt: BusinessTimestamp;
}

/** Stored form of an application, without what is computed for each reader (requirements, masking). */
export interface ApplicationRecord
  extends Omit<
      Application,
      | keyof ApplicationTimes
      | 'requirements'
      | 'documents'
      | 'consents'
      | 'waivers'
      | 'attestations'
      | 'decisions'
      | 'informationRequests'
      | 'signals'
      | 'evidenceDigest'
      | 'personalDataMasked'
      | 'riskLevel'
      | 'riskScore'
      | 'riskAssessmentId'
    >,
    ApplicationTimes {
  /** Note of the last transition, for the tenant's own records. */
  readonly statusNote: string | null;
}

/** Members of a document from which requirements are computed. */
export type Evidence = Pick<Document, 'id' | 'type' | 'status' | 'expiresOn'>;

/** Returns an application as the subject of evidence and decisions. */
export function subjectOf({ id }: { readonly id: string }): Subject {
  return { kind: 'application', id };
}

const STEPS = [
  'submitApplication',
  'createInformationRequest',
  'createDecision',
  'reviewDecision',
  'reopenApplication',
  'endRelationship',
  'withdrawApplication',
] as const;
type Step = (typeof STEPS)[number];

/** Statuses of applications that are being decided. A person has at most one such application in an environment. */
export const ACTIVE = [
  'submitted',
  'in_review',
  'needs_information',
  'pending_approval',
] as const satisfies readonly ApplicationStatus[];

/** Returns the transitions of an operation, which the contract declares as `x-state-transitions`. */
function transitionsOf(step: Step): {
  readonly from: readonly ApplicationStatus[];
  readonly to: readonly ApplicationStatus[];
} {
  return operations[step].transitions;
}

export function allowedTransitions(status: ApplicationStatus): ApplicationStatus[] {
  // Excludes operations whose target statuses are all among their start statuses: those need not change the status.
  const changing = STEPS.map(transitionsOf).filter(
    ({ from, to }) => from.includes(status) && !to.every((end) => from.includes(end)),
  );
  return [...new Set(changing.flatMap(({ to }) => to))];
}

/** Throws a 409 problem if the operation may not start from the current status. */
export function assertTransition(step: Step, current: ApplicationStatus): void {
  if (transitionsOf(step).from.includes(current)) return;
  throw new Problem('invalid_state_transition', {
    currentStatus: current,
    allowedTransitions: allowedTransitions(current),
  });
}

export function assertEditable(status: ApplicationStatus): void {
  if (status !== 'draft') throw new Problem('application_not_editable', { editableFields: [] });
}

/** Returns whether an application is submitted and not yet decided. */
export function isUnderReview(status: ApplicationStatus): boolean {
  return ACTIVE.some((active) => active === status);
}

/** Rejects new evidence once the application is decided or has ended otherwise. */
export function assertOpen(status: ApplicationStatus): void {
  if (status !== 'draft' && !isUnderReview(status)) throw new Problem('application_closed');
}

/** Rejects consents of a withdrawn or expired application. Consents are granted and withdrawn after a decision too. */
export function assertTakesConsents(status: ApplicationStatus): void {
  if (status === 'withdrawn' || status === 'expired') throw new Problem('application_closed');
}

/** Rejects the removal of a document unless the application is a draft: once submitted, the document is evidence. */
export function assertNoEvidence(status: ApplicationStatus): void {
  if (status !== 'draft') throw new Problem('document_is_evidence');
}

export function submitted(record: ApplicationRecord, at: BusinessTime): ApplicationRecord {
  assertTransition('submitApplication', record.status);
  return {
    ...record,
    status: 'in_review',
    statusReason: 'submitted',
    statusNote: null,
    submittedAt: at.toISOString(),
    expiresAt: null,
  };
}

/**
 * Returns the application to review after the applicant's answer. `submittedAt` keeps the time of the first submission.
 */
export function answered(record: ApplicationRecord): ApplicationRecord {
  assertTransition('submitApplication', record.status);
  return {
    ...record,
    status: 'in_review',
    statusReason: 'information_provided',
    statusNote: null,
    resubmissionCount: record.resubmissionCount + 1,
    expiresAt: null,
  };
}

/** Time after the due date in which an answer is still accepted, so that one sent late in the evening is not lost. */
const GRACE_MILLISECONDS = DAY_MILLISECONDS;

export function informationRequested(
  record: ApplicationRecord,
  { dueAt }: { readonly dueAt: BusinessTimestamp },
): ApplicationRecord {
  return {
    ...record,
    status: 'needs_information',
    statusReason: 'information_requested',
    statusNote: null,
    expiresAt: addMilliseconds(readBusinessTime(dueAt), GRACE_MILLISECONDS).toISOString(),
  };
}

export function withdrawn(
  record: ApplicationRecord,
  { reasonCode, note = null }: components['schemas']['WithdrawRequest'],
): ApplicationRecord {
  assertTransition('withdrawApplication', record.status);
  return {
    ...record,
    status: 'withdrawn',
    statusReason: reasonCode,
    statusNote: note,
    expiresAt: null,
  };
}

/** Returns a decided application to review. `decidedAt` keeps the time of the last decision. */
export function reopened(
  record: ApplicationRecord,
  { reasonCode, note }: components['schemas']['ReopenRequest'],
): ApplicationRecord {
  assertTransition('reopenApplication', record.status);
  return {
    ...record,
    status: 'in_review',
    statusReason: reasonCode,
    statusNote: note,
    validUntil: null,
    reviewDueAt: null,
    relationshipEndedAt: null,
  };
}

/**
 * Records the end of the relationship and leaves the approval unchanged. The caller may state when it ended, because
 * the institution that runs the account knows.
 */
export function relationshipEnded(
  record: ApplicationRecord,
  { endedAt, note = null }: components['schemas']['RelationshipEnd'],
  now: BusinessTime,
  { wasApproved }: { readonly wasApproved: boolean },
): ApplicationRecord {
  assertTransition('endRelationship', record.status);
  // An application that expired without an approval is not a customer's, unless its last effective decision was an
  // approval: a customer whose case was reopened may have failed to answer in time.
  if (record.validUntil === null && !wasApproved)
    throw new Problem('invalid_state_transition', {
      currentStatus: record.status,
      allowedTransitions: allowedTransitions(record.status),
    });
  if (record.relationshipEndedAt !== null) throw new Problem('relationship_ended');
  const at = endedAt === undefined ? now : readStatedTime(endedAt);
  if (at === null || at > now || at.toISOString() < (record.decidedAt ?? '')) {
    throw new Problem('validation_failed', {
      errors: [{ pointer: '/endedAt', code: 'range', message: 'must not be before the approval or in the future' }],
    });
  }
  return { ...record, relationshipEndedAt: at.toISOString(), statusNote: note };
}

/**
 * Returns the record with the latest time, and the newest of records with equal times, so that a record that is written
 * late does not override what happened after its time.
 */
export function latest<Of>(newestFirst: readonly Of[], timeOf: (record: Of) => string): Of | undefined {
  const [first, ...others] = newestFirst;
  return others.reduce(
    (last: Of | undefined, record) => (last !== undefined && timeOf(record) > timeOf(last) ? record : last),
    first,
  );
}

/** Gives a changed record its next version and a change time that is later than the previous one. */
export function nextVersion(before: ApplicationRecord, after: ApplicationRecord, at: BusinessTime): ApplicationRecord {
  return { ...after, version: before.version + 1, updatedAt: nextChangeTime(at, before.updatedAt) };
}

/** Lists the status change with values for the audit log, because a status is not personal data. */
export function changedStatus({
  status,
  statusReason,
}: Pick<ApplicationRecord, 'status' | 'statusReason'>): { op: 'replace'; path: string; value: string | null }[] {
  return [
    { op: 'replace', path: '/status', value: status },
    { op: 'replace', path: '/statusReason', value: statusReason },
  ];
}
