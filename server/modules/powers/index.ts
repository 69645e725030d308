/**
 * Powers: the documents that say who may sign for a company, and evaluations of whether some persons may do an act.
 *
 * `instrument.ts` completes what a request says about a document and translates it for the engine (`server/powers`),
 * `faults.ts` finds everything that is wrong with it (`valid-power.ts` refuses it), and `on-file.ts` reads what is
 * known of a company, to which `inherited.ts` adds the powers of the head office of a branch. `power-handlers.ts`
 * drafts, changes, confirms and revokes powers; a draft is confirmed by a second person. `receipt.ts` evaluates an act
 * and makes the receipt, which `evaluation-handlers.ts` stores. `present.ts` shows both.
 *
 * Locks are taken in the order head office, business, power, second review. An evaluation about a branch locks the head
 * office against its erasure, so that no erasure misses the receipt.
 *
 * `expire.ts` notices that the last day of a power has passed, and publishes it; `ending.ts` says which powers end
 * soon, and `simulate-end.ts` ends one in the sandbox.
 *
 * An erasure of the business ends the second reviews of its drafts, and empties the receipts of its branches, which
 * name its people (`end-reviews.ts`).
 *
 * The module may use businesses, company-registry, ownership, documents, second-review, subject-events, subject-keys,
 * tenant-settings, request, database, rules and the engine of powers.
 *
 * `POST …/signing-evaluations`: the powers and the latest parties are read, the act is evaluated as of its time, and
 * input and answer are stored with the digest of both. `GET` evaluates the stored input again and compares.
 */
import type { Module } from '../../tasks/module.ts';
import { evaluationHandlers } from './evaluation-handlers.ts';
import type { SubjectListener } from '../subject-events/index.ts';
import { erasureListener } from './end-reviews.ts';
import { powersDue } from './expire.ts';
import { powerHandlers } from './power-handlers.ts';
import { signatoriesHandler } from './signatories-handlers.ts';

export { endingPowers } from './ending.ts';
export { receiptsAfter } from './evaluation-store.ts';
export { coverageOf, type PowersCoverage } from './inherited.ts';
export { articlesOfHeadOffice, openedReceipt, powersOf } from './present.ts';
export { businessOfPower, power } from './power-store.ts';
export { signatoriesOn } from './signatories-handlers.ts';
export { simulateEnd } from './simulate-end.ts';

export const powersModule = {
  name: 'powers',
  handlers: () => ({
    ...powerHandlers,
    ...signatoriesHandler,
    ...evaluationHandlers,
  }),
  dues: [powersDue],
  listeners: [erasureListener],
} satisfies Module<never, never, SubjectListener>;
