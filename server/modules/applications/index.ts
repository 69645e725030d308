/**
 * Applications: what an applicant submits, from draft to decision.
 *
 * `application.ts` holds the rules of the record (statuses, editing, versions), `applicant.ts` those of the person described in
 * it, `requirements.ts` computes what is still missing, and `present.ts` shows it to a reader, masked (`rules/mask.ts`)
 * where the caller is not shown personal data. `consents.ts`, `waivers.ts` and `attestations.ts` keep ledgers; `evidence.ts` lists what a decision rests on, `decisions.ts` holds
 * the rules of decisions, `decide.ts` makes, confirms and returns them, and `automatic-approval.ts` approves clear cases without a person. `ask-for-information.ts` asks
 * the applicant, `answers.ts` says what may answer, `renewals.ts` says what a renewal is of, `erase.ts` erases for good what the law no longer holds, `monitoring.ts` says by one table when the monitoring of an applicant begins, goes on and ends (`monitored-store.ts` lists them), `biometric-retention.ts` erases pictures of the body when the settings say so, and `expire-applications.ts` ends what nobody submitted or answered in time. The person of a row (`person-store.ts`) and what people write about them (the columns that say `sealed`) are sealed. Quotas and the list by changes have stores of their own. It
 * may use documents (evidence belongs to an application), tenant-settings (decision policy), watch-lists (which of them the law demands), second-review, subscriptions, identity, request, database and
 * rules.
 *
 * `POST /v1/applications/{id}/submit`: the handler calls `submitApplication`, which locks the row and reads its documents,
 * compares `If-Match`, moves the status by the transitions that the contract declares, throws if a requirement that the
 * applicant must meet is missing, and updates the row; the handler then names the audit events and answers with
 * `present(record)`.
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
export { placeOfScreened, screenedApplicant } from './screening-store.ts';
export { isCustomer, isCustomerNow, type MonitoredSubject, monitoredSubjects } from './monitored-store.ts';
export { APPROVAL } from './monitoring.ts';
export { application, findApplication, findReadable, lastUnseenChange, sandboxAheadMilliseconds } from './store.ts';

export const applicationsModule = {
  name: 'applications',
  handlers: applicationHandlers,
  dues: [applicationsDue, biometricsDue],
  tasks: [automaticApprovalTask, biometricFileTask],
  jobs,
} satisfies Module<never>;
