/**
 * Ownership: who owns and controls a company, by versions of a graph of parties and holdings that are never changed.
 *
 * `recorded-graph.ts` completes the graph of a request and finds everything that is wrong with it, `assessment.ts` puts
 * one person in the place of several keys with the same CPF and asks the engine (`server/ownership`), and `store.ts`
 * keeps graph and answer, sealed under the key of the business. `handlers.ts` replaces and shows versions, which
 * `record-version.ts` records by the threshold of the level of risk; `follow-risk.ts` judges anew by another level.
 *
 * The module may use applications (the current risk), businesses, documents, subject-events, subject-keys,
 * tenant-settings, request, database, rules and the engine of ownership.
 *
 * `PUT …/ownership`: the business is locked, `If-Match` is compared with the number of its latest version, the graph is
 * checked, assessed for today and inserted as the next version.
 */
import type { Module } from '../../tasks/module.ts';
import { ownershipHandlers } from './handlers.ts';

export { followRisk } from './follow-risk.ts';
export { latestGraph } from './latest-graph.ts';
export { beneficialOwnersNow, type Opened as OpenedOwnership, openedVersion } from './opened-version.ts';
export { isMasked, type RecordedGraph, type RecordedParty } from './recorded-graph.ts';
export { latestVersion, versionsAfter } from './store.ts';

export const ownershipModule = {
  name: 'ownership',
  handlers: ownershipHandlers,
} satisfies Module<never>;
