/**
 * Reports to the authority (Siscoaf): of suspicious operations and operations in cash that a case is about, and the
 * declaration that a year had nothing to report. Who is reported must not learn it, so compliance officers alone know
 * that a report exists: for everybody else its operations are paths that do not exist (`x-sealed` in the contract), its
 * rows and its events are visible to transactions of the sealed audit log alone, and it touches nothing of its case.
 *
 * `deadlines.ts` holds the days that the law gives, `schedule.ts` which of them a report has and whether it missed one.
 * `create-report.ts` begins a report with a copy of what it needs of the case; `change-report.ts` changes, decides and
 * files it. `texts.ts` fills in the two templates of the settings. What a report says, and its documents, are sealed
 * under a key in its own row (`store.ts`, `document-store.ts`), which outlives the case and the applicant's key.
 *
 * The module may use cases and applications (what is copied), documents (inspection and names), subject-keys,
 * tenant-settings, audit-log (the sealed log is searched and verified like the other), audit, identity, request,
 * database and rules. No module uses it.
 *
 * `POST /v1/cases/{caseId}/reports`: the request layer has found a compliance officer and begun a transaction of the
 * sealed log. `createReport` reads case and application without a lock, computes the deadlines by the settings, fills
 * in the narrative, and stores the report unless one of the same kind about the case is open. The event
 * `report.created` goes to the sealed log.
 */
import type { Module } from '../../tasks/module.ts';
import { reportHandlers } from './handlers.ts';

export const reportsModule = { name: 'reports', handlers: reportHandlers } satisfies Module<never>;
