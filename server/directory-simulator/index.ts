/** The directory of the sandboxes: what happens in it is told by commands, what it answers follows from them. */
export { expiryPolicies, paces, type Pace, type Role } from './core/command.ts';
export { fold } from './core/fold.ts';
export { historyOf, type HistoryEvent } from './core/history.ts';
export { sandboxIspb } from './core/ids.ts';
export { armFault, faults, type Fault } from './journal/faults.ts';
export { clearJournal } from './journal/clear.ts';
export { appendCommand, isJournalFull, loadJournal } from './journal/journal.ts';
export { runAt, startRun, stateAt, type RunAt } from './runs.ts';
export { leastAmount } from './scenarios/define.ts';
export { scenarioNamed, scenarios } from './scenarios/index.ts';
export type { RunOptions, Scenario } from './scenarios/scenario.ts';
export { sandboxRates } from './wire/policies.ts';
export { States } from './states.ts';
export { startDirectorySimulator, type DirectorySimulator } from './simulator.ts';
