import { DAY_MILLISECONDS, readInstant } from '../../base/time.ts';
import { operations } from '../../contract/generated/operations.ts';
import type { components } from '../../contract/generated/types.ts';
import { Problem } from '../../contract/problem.ts';
import type { Document } from '../documents/index.ts';

type Schemas = components['schemas'];
/** Wire types of the contract under shorter names. */
export type Application = Schemas['Application'];
type ApplicationStatus = Schemas['ApplicationStatus'];
export type Applicant = Schemas['Applicant'];
export type Requirement = Schemas['Requirement'];
export type DiligenceLevel = Schemas['DiligenceLevel'];
export type Metadata = Schemas['Metadata'];

/** An application as it is kept: what is computed for a reader (requirements, masking) is not in it. */
export interface ApplicationRecord extends Omit<Application, 'requirements' | 'documents' | 'consents' | 'waivers' | 'attestations' | 'decisions' | 'informationRequests' | 'signals' | 'evidenceDigest' | 'personalDataMasked'> {
  /** What was noted at the last transition; for the tenant's own records. */
  readonly statusNote: string | null;
}

/** What a requirement needs to know of a document. */
export type Evidence = Pick<Document, 'type' | 'status' | 'expiresOn'>;

export function addMilliseconds(time: Date, milliseconds: number): Date {
  return new Date(time.getTime() + milliseconds);
}

/** The time of a change: now, and in any case later than the change before, so that polling by time misses none. */
export function nextChangeTime(now: Date, previous: string): string {
  return new Date(Math.max(now.getTime(), Date.parse(previous) + 1)).toISOString();
}

const STEPS = ['submitApplication', 'createInformationRequest', 'createDecision', 'reviewDecision', 'reopenApplication', 'endRelationship', 'withdrawApplication'] as const;
type Step = (typeof STEPS)[number];

/** Applications that are being decided: a person has at most one of them in an environment. */
export const ACTIVE = ['submitted', 'in_review', 'needs_information', 'pending_approval'] as const satisfies readonly ApplicationStatus[];

/** The contract declares the transitions as `x-state-transitions` of each operation. */
function transitionsOf(step: Step): { readonly from: readonly ApplicationStatus[]; readonly to: readonly ApplicationStatus[] } {
  return operations[step].transitions;
}

export function allowedTransitions(status: ApplicationStatus): ApplicationStatus[] {
  // What leads only to where it may begin changes no status.
  const changing = STEPS.map(transitionsOf).filter(({ from, to }) => from.includes(status) && !to.every((end) => from.includes(end)));
  return [...new Set(changing.flatMap(({ to }) => to))];
}

/** 409 where the operation does not start from the current status. */
export function assertTransition(step: Step, current: ApplicationStatus): void {
  if (transitionsOf(step).from.includes(current)) return;
  throw new Problem('invalid_state_transition', { currentStatus: current, allowedTransitions: allowedTransitions(current) });
}

export function assertEditable(status: ApplicationStatus): void {
  if (status !== 'draft') throw new Problem('application_not_editable', { editableFields: [] });
}

/** Evidence is added until somebody has decided, or the application has ended otherwise. */
export function assertOpen(status: ApplicationStatus): void {
  if (status !== 'draft' && !ACTIVE.some((active) => active === status)) throw new Problem('application_closed');
}

/** Consents are given and withdrawn as long as the application may lead to something, or has: also after the decision. */
export function assertTakesConsents(status: ApplicationStatus): void {
  if (status === 'withdrawn' || status === 'expired') throw new Problem('application_closed');
}

/** A document leaves a draft; what was submitted is what is decided. */
export function assertNoEvidence(status: ApplicationStatus): void {
  if (status !== 'draft') throw new Problem('document_is_evidence');
}

export function submitted(record: ApplicationRecord, now: Date): ApplicationRecord {
  assertTransition('submitApplication', record.status);
  return { ...record, status: 'in_review', statusReason: 'submitted', statusNote: null, submittedAt: now.toISOString(), expiresAt: null };
}

/** The applicant has answered; when it was submitted first is kept. */
export function answered(record: ApplicationRecord): ApplicationRecord {
  assertTransition('submitApplication', record.status);
  return { ...record, status: 'in_review', statusReason: 'information_provided', statusNote: null, resubmissionCount: record.resubmissionCount + 1, expiresAt: null };
}

/** The applicant has a day longer than was said: what arrives late in the evening is not lost. */
const GRACE_MILLISECONDS = DAY_MILLISECONDS;

export function asked(record: ApplicationRecord, { dueAt }: { readonly dueAt: string }): ApplicationRecord {
  return {
    ...record, status: 'needs_information', statusReason: 'information_requested', statusNote: null,
    expiresAt: addMilliseconds(new Date(dueAt), GRACE_MILLISECONDS).toISOString(),
  };
}

export function withdrawn(record: ApplicationRecord, { reasonCode, note = null }: components['schemas']['WithdrawRequest']): ApplicationRecord {
  assertTransition('withdrawApplication', record.status);
  return { ...record, status: 'withdrawn', statusReason: reasonCode, statusNote: note, expiresAt: null };
}

/** What was decided is decided again; when it was decided last is kept. */
export function reopened(record: ApplicationRecord, { reasonCode, note }: components['schemas']['ReopenRequest']): ApplicationRecord {
  assertTransition('reopenApplication', record.status);
  return { ...record, status: 'in_review', statusReason: reasonCode, statusNote: note, validUntil: null, reviewDueAt: null, relationshipEndedAt: null };
}

/** Nothing but the end is added to what was approved; when it happened is known by whoever keeps the account. */
export function relationshipEnded(record: ApplicationRecord, { endedAt, note = null }: components['schemas']['RelationshipEnd'], now: Date, { wasApproved }: { readonly wasApproved: boolean }): ApplicationRecord {
  assertTransition('endRelationship', record.status);
  // What expired without an approval never was a customer's; a customer whose case was reopened may not have answered.
  if (record.validUntil === null && !wasApproved) throw new Problem('invalid_state_transition', { currentStatus: record.status, allowedTransitions: allowedTransitions(record.status) });
  if (record.relationshipEndedAt !== null) throw new Problem('relationship_ended');
  const at = endedAt === undefined ? now : readInstant(endedAt);
  if (at === null || at > now || at.toISOString() < (record.decidedAt ?? '')) {
    throw new Problem('validation_failed', { errors: [{ pointer: '/endedAt', code: 'range', message: 'must not be before the approval or in the future' }] });
  }
  return { ...record, relationshipEndedAt: at.toISOString(), statusNote: note };
}

/** As many records of a ledger of an application as an answer shows. */
export const MAX_RECORDS = 100;

export function refusal(pointer: string, code: string, message: string): Problem {
  return new Problem('validation_failed', { errors: [{ pointer, code, message }] });
}

/** Of records, newest first, the one whose time is the latest, and of equal times the newest: what is recorded late does not undo what happened since. */
export function latest<Of>(newestFirst: readonly Of[], timeOf: (record: Of) => string): Of | undefined {
  const [first, ...others] = newestFirst;
  return others.reduce((last: Of | undefined, record) => (last !== undefined && timeOf(record) > timeOf(last) ? record : last), first);
}

/** Every committed change of a stored record has a version and a time of its own. */
export function nextVersion(before: ApplicationRecord, after: ApplicationRecord, now: Date): ApplicationRecord {
  return { ...after, version: before.version + 1, updatedAt: nextChangeTime(now, before.updatedAt) };
}

/** A status is no personal data, so the audit log keeps its value. */
export function changedStatus({ status, statusReason }: Pick<ApplicationRecord, 'status' | 'statusReason'>): { op: 'replace'; path: string; value: string | null }[] {
  return [{ op: 'replace', path: '/status', value: status }, { op: 'replace', path: '/statusReason', value: statusReason }];
}
