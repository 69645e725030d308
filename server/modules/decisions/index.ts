/**
 * Decisions: one machine by which people decide about a subject on the evidence that they have read, with a second
 * person if there are reasons for one. A subject is a record of another module, an application or a business.
 *
 * `decide.ts` makes, confirms, returns and invalidates decisions, `decision-rules.ts` checks what a decision must say,
 * whatever it is about, and `decision-store.ts` holds the decisions with their manifests. Three ledgers hold what
 * people add to the evidence: `waivers.ts`, `attestations.ts` and `information-requests.ts` check and seal their
 * records by the rules of `ledger.ts`, and `recorded-evidence.ts` lists them in the manifest. `lifecycle.ts` holds the
 * statuses that every subject goes through, `requirements.ts` and `answers.ts` what its requirements have in common.
 * `erase.ts` empties a subject and what belongs to it, and `timeline-store.ts` lists its events; both follow from what
 * the tables declare.
 *
 * What a subject requires, the risk that it has and why the policy demands a second person belongs to the module of the
 * subject, which hands it in (`DecisionCase`) and changes the status of the subject afterwards.
 *
 * Every change locks in one order, so that no two changes wait for each other: the row of the subject, the review, the
 * entry of a task, and the head of the audit log. The caller takes the first lock before it calls this module.
 *
 * The module may use documents, second-review, subject-events, subject-keys, tenant-settings, request, database and
 * rules.
 *
 * `POST /v1/applications/{id}/decisions`: applications locks the application and calls `makeDecision` with its case. A
 * stale digest is refused with the differences; otherwise the decision is sealed and stored with its manifest, and if
 * there are reasons for a second person, a review is requested.
 */
import type { Module } from '../../tasks/module.ts';
import { decisionWork } from './work.ts';

export {
  attestation,
  type Attestation,
  listAttestations,
  provesAttestation,
  wireOf,
} from './attestation-store.ts';
export { isOutdated, recordAttestation } from './attestations.ts';
export { decisionAudits, type WriterOf } from './audit-decisions.ts';
export {
  assertNotOvertaken,
  type DecisionCase,
  type Invalidated,
  invalidateProposal,
  makeDecision,
  recordDecision,
  reviewDecision,
} from './decide.ts';
export { decisionBodyFaults } from './decision-rules.ts';
export { assertNotHeld, eraseSubject } from './erase.ts';
export { timeOfChange } from './erase-store.ts';
export {
  type Decision,
  decision,
  hasDecision,
  listDecidedManifests,
  listDecisions,
  openedDecision,
} from './decision-store.ts';
export { isCustomerAmong } from './customer-store.ts';
export { publishEffective } from './publish-effective.ts';
export { assertNoneOpen, informationBodyFaults, requestInformation } from './information-requests.ts';
export {
  endInformationRequest,
  findOpenRequest,
  type InformationRequest,
  informationRequest,
  listInformationRequests,
  noteProvided,
  type OpenRequest,
} from './information-store.ts';
export { answeredByDocument, answersTo, unansweredRequirements } from './answers.ts';
export {
  ACTIVE,
  assertNoEvidence,
  assertOpen,
  changedStatus,
  decidedRecord,
  EVIDENCE_CHANGED,
  informationRequested,
  isUnderReview,
  lifecycleOf,
  type Lived,
  nextVersion,
  reviewedRecord,
  SECOND_REVIEW,
} from './lifecycle.ts';
export { documentParts, evidenceParts, jsonPart } from './pack-parts.ts';
export {
  hasNoRecords,
  listRecords,
  openedRecords,
  presentDecision,
  presentInformationRequest,
} from './records.ts';
export { type RecordedEvidence, recordedItems } from './recorded-evidence.ts';
export {
  ATTESTED_ADVERSE,
  attestedOutcome,
  documentOutcome,
  type Evidence,
  isMet,
  latest,
  listedRequirement,
  missingDocument,
  OPEN,
  type Outcome,
  PROVIDED,
  type Requirement,
  type Rule,
  type Source,
  typesOf,
  VERIFIED,
} from './requirements.ts';
export { idOfType, listTimeline, recordsOf, textAt, timelineActions, timelineEntry } from './timeline-store.ts';
export { listWaivers, waiver, type Waiver } from './waiver-store.ts';
export { isWaived, recordWaiver } from './waivers.ts';

export const decisionsModule = { name: 'decisions', work: decisionWork } satisfies Module<never>;
