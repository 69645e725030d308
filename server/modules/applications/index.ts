/**
 * Applications: what an applicant submits, from draft to decision.
 *
 * `application.ts` holds the rules of the record (statuses, editing, versions) and `applicant.ts` those of the person
 * in the record. `requirements.ts` computes what is still missing. `present.ts` shows an application to a reader,
 * masked (`rules/mask.ts`) if the caller is not shown personal data. `consents.ts`, `waivers.ts` and `attestations.ts`
 * add to their ledgers. `evidence.ts` lists the evidence of a decision, `decisions.ts` holds the rules of decisions,
 * `decide.ts` makes, confirms and returns them, and `automatic-approval.ts` approves clear cases without a person.
 * `ask-for-information.ts` asks the applicant for information, and `answers.ts` says what answers such a request.
 * `renewals.ts` holds the rules of renewals. `erase.ts` erases an application once no law demands that its data are
 * retained. `monitoring.ts` holds one table that says when the monitoring of an applicant begins, continues and ends
 * (`monitored-store.ts` lists the monitored applicants). `biometric-retention.ts` erases biometric pictures after the
 * time in the settings, and `expire-applications.ts` expires drafts, unanswered information requests and approvals.
 *
 * The applicant of a row (`person-store.ts`) and what people write about the applicant (the columns that say `sealed`)
 * are sealed. Quotas and the list by changes have stores of their own.
 *
 * The module may use documents (evidence belongs to an application), tenant-settings (decision policy), watch-lists
 * (which lists the law demands), second-review, subscriptions, identity, request, database and rules.
 *
 * `POST /v1/applications/{id}/submit`: the handler calls `submitApplication`, which locks the row and reads its
 * documents, compares `If-Match`, moves the status by the transitions that the contract declares, throws if a
 * requirement that the applicant must meet is missing, and updates the row; the handler then names the audit events and
 * answers with `present(record)`.
 */
import type { Module } from '../../tasks/module.ts';
import { automaticApprovalTask } from './automatic-approval.ts';
import { biometricsDue, biometricFileTask } from './biometric-retention.ts';
import { applicationsDue } from './expire-applications.ts';
import { applicationHandlers } from './handlers.ts';
import { jobs } from './jobs.ts';

export { refusal } from './application.ts';
export { considerScreened } from './automatic-approval.ts';
export { documentsExpiredBetween, expireDocuments } from './application-documents.ts';
export { attestation } from './attestation-store.ts';
export { consent } from './consent-store.ts';
export { auditInvalidated } from './decision-handlers.ts';
export { liveUsage } from './quotas.ts';
export { readApplication, visibleTo } from './read-applications.ts';
export { sealContextOfSubject, screenedApplicant } from './screening-store.ts';
export { isCustomer, isCustomerNow, type MonitoredSubject, monitoredSubjects } from './monitored-store.ts';
export { APPROVAL } from './monitoring.ts';
export { application, findApplication, findReadable, sandboxAheadMilliseconds } from './store.ts';
export { lastUnseenChange } from './unseen-store.ts';

export const applicationsModule = {
  name: 'applications',
  handlers: applicationHandlers,
  dues: [applicationsDue, biometricsDue],
  tasks: [automaticApprovalTask, biometricFileTask],
  jobs,
} satisfies Module<never>;
