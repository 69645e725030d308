/**
 * Applications: what an applicant submits, from draft to decision.
 *
 * `record` defines what an application is, and how it is created, changed, listed and shown. `application.ts` holds
 * the rules of the record (statuses, editing, versions) and `applicant.ts` those of the person in the record.
 * `present.ts` shows an application to a reader, masked (`rules/mask.ts`) if the caller is not shown personal data. The
 * applicant of a row (`person-store.ts`) and what people write about the applicant (the columns that say `sealed`) are
 * sealed. Quotas and the list by changes have stores of their own.
 *
 * `evidence` holds what a decision rests on: documents, consents, attestations, waivers, requests for information and
 * the requirements that they meet. `requirements.ts` computes what is still missing. `consents.ts`, `waivers.ts` and
 * `attestations.ts` add to their ledgers. `ask-for-information.ts` asks the applicant for information, and `answers.ts`
 * says what answers such a request. `evidence.ts` lists the evidence of a decision.
 *
 * `decisions` decides about an application by the machine of the module decisions. `decisions.ts` holds what risk and
 * policy demand, `decide.ts` hands this in and changes the status afterwards, and `automatic-approval.ts` approves
 * clear cases without a person.
 *
 * `life` does what follows from a decision or from the time: monitoring, renewal, expiry, retention and erasure.
 * `monitoring.ts` holds one table that says when the monitoring of an applicant begins, continues and ends
 * (`monitored-store.ts` lists the monitored applicants). `renewals.ts` holds the rules of renewals.
 * `expire-applications.ts` expires drafts, unanswered information requests and approvals. `biometric-retention.ts`
 * erases biometric pictures after the time in the settings, and `erase.ts` erases an application once no law demands
 * that its data are retained.
 *
 * The module may use documents (evidence belongs to an application), decisions, tenant-settings (decision policy),
 * watch-lists (which lists the law demands), subject-keys, subject-events, subscriptions, identity, request, database
 * and rules.
 *
 * `POST /v1/applications/{id}/submit`: the handler calls `submitApplication`, which locks the row and reads its
 * documents, compares `If-Match`, moves the status by the transitions that the contract declares, throws if a
 * requirement that the applicant must meet is missing, and updates the row; the handler then names the audit events and
 * answers with `present(record)`.
 */
import type { Module } from '../../tasks/module.ts';
import { applicationHandlers } from './handlers.ts';
import { automaticApprovalTask } from './decisions/automatic-approval.ts';
import { biometricsDue, biometricFileTask } from './life/biometric-retention.ts';
import { applicationsDue } from './life/expire-applications.ts';
import { jobs } from './life/jobs.ts';

export { considerScreened } from './decisions/automatic-approval.ts';
export { decideApplication, reviewDecisionOfApplication } from './decisions/decide.ts';
export { auditDecided, auditInvalidated, auditReviewed } from './decisions/decision-handlers.ts';
export { reviewAgain, reviewAgainBySystem } from './decisions/pending-decision.ts';
export { documentsExpiredBetween, expireDocuments } from './evidence/application-documents.ts';
export { askForInformation } from './evidence/ask-for-information.ts';
export { basisForBiometrics } from './evidence/biometrics.ts';
export { consent } from './evidence/consent-store.ts';
export { attestedPerson as verifiedPerson } from './evidence/attested.ts';
export { conflictsOf } from './decisions/signals.ts';
export {
  currentRisk,
  presentRisk,
  reviewMonthsOf,
  type Risk,
  riskReasons,
  settledLevel,
} from './evidence/risk-store.ts';
export {
  newestScreening,
  type ScreeningEvidence,
  hashedSubject,
  screenedSubject,
  sealContextOfHit,
  sealContextOfSubject,
  screenedApplicant,
} from './evidence/screening-store.ts';
export { isCustomer, isCustomerNow, type MonitoredSubject, monitoredSubjects } from './life/monitored-store.ts';
export { APPROVAL } from './life/monitoring.ts';
export { type ApplicationRecord, isUnderReview } from './record/application.ts';
export { applicationLookups } from './record/lookup.ts';
export { submittedUnderSameNumber } from './record/same-tax-number-store.ts';
export { application, findApplication, findReadable, lockApplication } from './record/store.ts';
export type { Contents } from './record/present.ts';
export { draftApplication } from './record/draft-application.ts';
export { liveUsage, Quotas } from './record/quotas.ts';
export { readContents } from './record/read-applications.ts';
export { manifestOf, riskItems } from './evidence/evidence.ts';
export type { ChangeRequest } from './record/change-applications.ts';
export { lastUnseenChange } from './record/unseen-store.ts';

export const applicationsModule = {
  name: 'applications',
  handlers: applicationHandlers,
  dues: [applicationsDue, biometricsDue],
  tasks: [automaticApprovalTask, biometricFileTask],
  jobs,
} satisfies Module<never>;
