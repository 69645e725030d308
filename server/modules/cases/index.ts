/**
 * Cases: manual reviews in queues. One person at a time works on a case, and nobody judges their own work.
 *
 * `store.ts` defines a case; its notes, resolutions and documents have stores of their own. `open-case.ts` opens a case
 * or joins the open one of the same subject and type, and `listeners.ts` does so for what other modules publish.
 * `clock.ts` has the due dates, `queues.ts` the rules of the settings. `assign.ts` gives cases to people, one by one
 * (`next-store.ts`) or many by load (`people-store.ts`). `update-case.ts`, `notes.ts` and `case-documents.ts` are the
 * work on a case; `evidence.ts` digests what a resolution is based on, `case-subject.ts` treats applications and
 * businesses alike, `resolve.ts` makes or proposes a resolution, `review-resolution.ts` ends a proposal by a second
 * person, and `reopen.ts` takes a case back. `dues.ts` wakes cases, marks late ones and returns those of members who
 * left. `work.ts` adds cases and resolutions to the work of a person.
 *
 * Locks are taken in the order subject, case, review, counter of the case numbers, head of the audit log. Changes
 * that need no subject lock the case alone.
 *
 * The module may use applications, businesses, documents, decisions, screenings, subscriptions, second-review,
 * subject-events, subject-keys, tenant-settings, identity, request, tasks, audit, rules, database and the levels of the
 * risk engine.
 *
 * `POST /v1/cases/{caseId}/resolve`: `resolveCase` locks the subject and the case, compares the digest, makes the
 * decision that the resolution carries, stores the resolution and resolves the case; or, if two people must agree, it
 * requests a second review, and both wait.
 */
import type { Module } from '../../tasks/module.ts';
import type { SubjectListener } from '../subject-events/index.ts';
import { casesDue } from './dues.ts';
import { caseHandlers } from './handlers.ts';
import { caseListeners } from './listeners.ts';
import { caseWork } from './work.ts';

export { auditJoined } from './audit-cases.ts';
export { QUEUE_OF } from './listeners.ts';
export { caseLookups } from './lookup.ts';
export { type CaseCause, type Joined, openOrJoin } from './open-case.ts';
export { type CaseRecord, reviewCase } from './store.ts';

export const casesModule = {
  name: 'cases',
  handlers: caseHandlers,
  dues: [casesDue],
  listeners: caseListeners,
  work: caseWork,
} satisfies Module<never, never, SubjectListener>;
