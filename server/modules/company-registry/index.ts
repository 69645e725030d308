/**
 * The registry of companies: what it says of a business, and how that differs from what is declared.
 *
 * `ask.ts` asks the registry of the environment (`server/providers/business-registry`) and stores the answer as it
 * came; `handlers.ts` shows it and records who is right about a difference. `differences.ts` compares, and drafts the
 * owners; `compare.ts` brings the stored differences up to date, also after new owners (`listener.ts`). Simulations of
 * the sandbox change what its registry says (`simulated-store.ts`).
 *
 * The module may use businesses, ownership, subject-events, subject-keys, the providers, request, audit, database,
 * rules, and of verification the tax numbers.
 *
 * `POST …/registry`: the business is locked, the registry answers, the answer is sealed and inserted, and the
 * differences that are new are inserted beside those that there were.
 */
import type { Module } from '../../tasks/module.ts';
import type { SubjectListener } from '../subject-events/index.ts';
import { registryHandlers } from './handlers.ts';
import { ownersListener } from './listener.ts';

export { askAgain, askRegistry, fetchedEvent } from './ask.ts';
export { registryOf } from './present.ts';
export { addSimulatedChange, type RegistryChange, simulatedChanges } from './simulated-store.ts';
export { latestAnswer, registryAnswer } from './store.ts';

export const companyRegistryModule = {
  name: 'company-registry',
  handlers: () => registryHandlers,
  listeners: [ownersListener],
} satisfies Module<never, never, SubjectListener>;
