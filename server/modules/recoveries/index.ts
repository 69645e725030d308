/**
 * A tenant's recoveries of funds (MED 2.0): one record for each recovery, derived from the documents that the directory
 * shows, with the events that follow from every change.
 *
 * The module owns `fr_record` and `fr_reference`, which triggers derive from it. It publishes through recovery-feed,
 * and never reads the directory itself: recovery-ingestion passes `Observation`s to it. It may use recovery-feed,
 * tenant-settings, rules, the directory's document types and the simulator's participant numbers.
 *
 * An observation as an example: `applyObservations` locks the records (`store.ts`), and `derive` (`derive.ts`), a pure
 * function, merges the documents with the stored ones (`observation.ts`), lists the facts that they show (`facts.ts`),
 * adds deadlines that were missed (`deadlines.ts`) or are approaching (`deadline-notices.ts`) and drops facts that were
 * published before; the record is saved and its new events are published in the same transaction. `GET
 * /api/v1/funds-recovery/{fundsRecoveryId}` reads the record: `visibleRecovery` (`read-recoveries.ts`) finds it or
 * answers 404, and `present.ts` converts it to the form of the contract. The list, the export and the statistics share
 * their filters (`find-recoveries.ts`, `list-store.ts`). `simulateEvent` writes the same tables for a recovery that a
 * test of the sandbox invents.
 */
import type { Module } from '../../tasks/module.ts';
import { recoveryHandlers } from './handlers.ts';
import { renewNoticesTask } from './renew-notices.ts';

export { applyObservations } from './apply-observations.ts';
export { derive } from './derive.ts';
export {
  findDueDeadlines,
  findDueNotices,
  findDueRecords,
  findStaleRecords,
  postponeRecord,
} from './due-store.ts';
export { notificationKeyOf } from './facts.ts';
export type { Observation, Provenance } from './observation.ts';
export { type RecoveryRequest, visibleRecovery } from './read-recoveries.ts';
export {
  isoTime,
  rankOf,
  readStatus,
  type RecoveryRecord,
  type Snapshot,
  type StageLimits,
  standardStageLimits,
  type Status,
  toMilliseconds,
} from './recovery.ts';
export { simulateEvent } from './simulate-event.ts';
export { lockRecordWriters, readRecords, record } from './store.ts';

export const recoveriesModule = {
  name: 'recoveries',
  handlers: recoveryHandlers,
  tasks: [renewNoticesTask],
} satisfies Module<never>;
