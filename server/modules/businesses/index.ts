/**
 * Businesses: the companies that a tenant deals with, each with its registration.
 *
 * `registration.ts` checks and normalises the registration, which names the company and never changes, and refuses a
 * branch without its head office; `store.ts` holds
 * the table and its statements, and refuses a second business with the same registration or reference. `handlers.ts`
 * creates, lists, shows and changes businesses. `record.ts` names the steps of its life, `change-businesses.ts` takes
 * them, `requirements.ts` says what each level requires, `evidence.ts` adds documents and what people look up, and
 * `decide.ts` decides by the machine of the module decisions. `contents.ts` reads what belongs to a business and
 * presents it; `structure-store.ts` reads of its owners and powers what requirements and decisions depend on.
 * `erase.ts` erases a business, `expire.ts` expires what falls due, and `expire-documents.ts` simulates that documents
 * have expired. `monitoring.ts` says when the monitoring of a
 * business begins and ends, and which of its states an approval accepts (`monitored-store.ts` lists who is a customer).
 *
 * The module may use applications (quotas of the storage, the current risk), decisions, documents, subject-events,
 * subject-keys, subscriptions, tenant-settings, request, database, rules, and of verification the tax numbers.
 *
 * `POST /v1/businesses`: the handler checks the number, inserts the row, and answers with the record. If the database
 * finds another business with the registration, the refusal names it.
 */
import type { Module } from '../../tasks/module.ts';
import { businessesDue } from './expire.ts';
import { businessHandlers } from './handlers.ts';

export { auditDecided, auditInvalidated, auditReviewed } from './audit.ts';
export { reviewAgain } from './change-businesses.ts';
export { manifestOf, present, readContents } from './contents.ts';
export { decideBusiness, reviewDecisionOfBusiness } from './decide.ts';
export { expireDocumentsOfBusiness } from './expire-documents.ts';
export { businessLookups } from './lookup.ts';
export { assertNotClosed, subjectOf } from './record.ts';
export { isCustomerBusiness, isCustomerBusinessNow, unwatchedBusinesses } from './monitored-store.ts';
export { beginMonitoring, statesOf } from './monitoring.ts';
export { listPartyEvidence, readStructure } from './structure-store.ts';
export { type Business, business, findBusiness, findHeadOffice, lockBusiness } from './store.ts';

export const businessesModule = {
  name: 'businesses',
  handlers: businessHandlers,
  dues: [businessesDue],
} satisfies Module<never>;
