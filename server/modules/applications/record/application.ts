/**
 * The record of an application and the rules of its status, without input or output. Used by nearly all files of this
 * module. Transitions follow from the contract (`x-state-transitions`); a step from a wrong status is a 409 with the
 * allowed ones. Times are by the clock of the environment, never the real one.
 */
import type { BusinessTimestamp } from '../../../base/time.ts';
import { operations } from '../../../contract/generated/operations.ts';
import type { components } from '../../../contract/generated/types.ts';
import { Problem } from '../../../contract/problem.ts';
import type { Subject } from '../../../rules/subject.ts';
import { assertOpen as assertRecordOpen, lifecycleOf } from '../../decisions/index.ts';

export {
  ACTIVE,
  changedStatus,
  type Evidence,
  informationRequested,
  isUnderReview,
  latest,
  nextVersion,
} from '../../decisions/index.ts';

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

/** Returns an application as the subject of evidence and decisions. */
export function subjectOf({ id }: { readonly id: string }): Subject {
  return { kind: 'application', id };
}

/** Steps of the life of an application, by the transitions that the contract declares for its operations. */
export const {
  allowedTransitions,
  assertNotUnderReview,
  assertTransition,
  submitted,
  answered,
  withdrawn,
  reopened,
  relationshipEnded,
} = lifecycleOf(() => ({
  submit: operations.submitApplication.transitions,
  ask: operations.createInformationRequest.transitions,
  decide: operations.createDecision.transitions,
  review: operations.reviewDecision.transitions,
  reopen: operations.reopenApplication.transitions,
  endRelationship: operations.endRelationship.transitions,
  withdraw: operations.withdrawApplication.transitions,
}));

export function assertEditable(status: ApplicationStatus): void {
  if (status !== 'draft') throw new Problem('application_not_editable', { editableFields: [] });
}

/** Rejects new evidence once the application is decided or has ended otherwise. */
export function assertOpen(status: ApplicationStatus): void {
  assertRecordOpen(status, 'application_closed');
}

/** Rejects consents of a withdrawn or expired application. Consents are granted and withdrawn after a decision too. */
export function assertTakesConsents(status: ApplicationStatus): void {
  if (status === 'withdrawn' || status === 'expired') throw new Problem('application_closed');
}
