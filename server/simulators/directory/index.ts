/** The directory of the sandboxes: what happens in it is told by commands, what it answers follows from them. */
export { expiryPolicies, paces, type Pace, type Role } from './core/model.ts';
export { fold } from './core/fold.ts';
export { historyOf, type HistoryEvent } from './core/history.ts';
export { sandboxIspb } from './core/values.ts';
export { armFault, faults, type Fault } from './journal.ts';
export { clearJournal } from './journal.ts';
export { appendCommand, isJournalFull, loadJournal } from './journal.ts';
export { runAt, startRun, stateAt, type RunAt } from './state.ts';
export { leastAmount } from './scenarios/scenario.ts';
export { scenarioNamed, scenarios } from './scenarios/catalogue.ts';
export type { RunOptions, Scenario } from './scenarios/scenario.ts';
export { sandboxRates } from './wire/rate-limits.ts';
export { StateCache } from './state.ts';
export { startDirectorySimulator, type DirectorySimulator } from './server.ts';
