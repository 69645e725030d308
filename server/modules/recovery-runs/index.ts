/**
 * Runs of recovery scenarios in a tenant's sandbox: a customer starts one, moves it on, and arms faults of the
 * simulated directory, to test an integration. The module owns no table: a run is a command in the journal of the
 * simulator (simulators/directory), which derives the directory's responses from it. The module may use that simulator,
 * sandbox-clock and recovery-ingestion's `SandboxFollower`.
 *
 * `POST /v1/sandbox/funds-recovery/scenarios` as an example: the handler finds the scenario, rejects the request if the
 * journal is full, appends the run (`startRun`) and replies with its state by the clock of the sandbox. After the
 * commit the follower polls the simulated directory, so that the first events are in the feed when the customer reads
 * it.
 */
import type { Module } from '../../tasks/module.ts';
import { recoveryRunHandlers } from './handlers.ts';

export const recoveryRunsModule = { name: 'recovery-runs', handlers: recoveryRunHandlers } satisfies Module<never>;
