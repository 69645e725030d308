/**
 * Simulates the national directory (DICT) for the sandboxes, over mutual TLS and signed XML, so that recovery-ingestion
 * follows a sandbox with the same code as the real directory.
 *
 * The simulator owns `dict_sim_command`, the journal of commands of each tenant's sandbox, and `dict_sim_fault`, the
 * armed faults. It may use providers/directory (for the wire format), the database and base, and no module; modules use
 * it through this index.
 *
 * A run as an example: `startRun` (`state.ts`) translates a scenario (`scenarios/`) into commands and appends them to
 * the journal (`journal.ts`). Nothing else is stored: when ingestion asks for notifications, `server.ts` authenticates
 * the certificate, `answering.ts` takes a token of the rate limit and reads the state, which is the journal folded up
 * to the clock of the sandbox (`core/fold.ts`, a pure function), and `wire/operations.ts` selects and writes the
 * answer, which an armed fault may then damage.
 */
export { creationRefusals, documentForms, refundReasons, rejectionReasons, situations } from './core/model.ts';
export { expiryPolicies, type JournalEntry, paces, type Pace, type Role } from './core/model.ts';
export { fold } from './core/fold.ts';
export { historyOf, type HistoryEvent } from './core/history.ts';
export { leastRootAmount, sandboxIspb } from './core/values.ts';
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
