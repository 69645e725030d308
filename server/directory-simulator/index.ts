/** The directory of the sandboxes: what happens in it is told by commands, what it answers follows from them. */
export { expiryPolicies, paces, situations, type ExpiryPolicy, type Pace, type Role, type Situation } from './core/command.ts';
export { fold } from './core/fold.ts';
export { historyOf, type HistoryEvent } from './core/history.ts';
export { sandboxIspb } from './core/ids.ts';
export type { Run, State } from './core/model.ts';
export { armFault, faults, type Fault } from './journal/faults.ts';
export { clearJournal } from './journal/clear.ts';
export { appendCommand, isJournalFull, loadJournal, type Journal } from './journal/journal.ts';
export { nextStepAfter, runAt, startRun, stateAt, type RunAt } from './runs.ts';
export { leastAmount } from './scenarios/define.ts';
export { scenarioNamed, scenarios } from './scenarios/index.ts';
export type { ExpectedEvent, RunOptions, Scenario } from './scenarios/scenario.ts';
export { sandboxRates } from './wire/policies.ts';
export { startDirectorySimulator, type DirectorySimulator, type SandboxDirectory, type SimulatorOptions } from './simulator.ts';
