import { eventType, type Fact } from './fact.ts';
import type { RecoveryRecord, Snapshot } from './record.ts';
import { isTerminal, readStatus, type Status } from './status.ts';
import { milliseconds } from './time.ts';

/** What somebody has to look at. */
export type Alert = 'unknown_status' | 'conflicting_end';

export interface Oddities {
  readonly facts: readonly Fact[];
  readonly alerts: readonly Alert[];
}

/**
 * What the lifecycle does not foresee. A status that nobody knows yet keeps the last known one and is told as a change of
 * information that carries the raw value; of two ends that contradict each other the one that the directory shows holds.
 */
export function oddities(before: RecoveryRecord | null, { FundsRecovery: recovery }: Snapshot, shown: Status | null): Oddities {
  const key = `fr:${recovery.Id}:STATUS:${recovery.Status.slice(0, 80)}`;
  if (shown === null) {
    const fact: Fact = {
      key, eventType: eventType('INFORMATION_UPDATED'), reaches: null, at: milliseconds(recovery.LastModified), origin: 'DERIVED',
      documents: { FundsRecovery: recovery },
    };
    return { facts: [fact], alerts: before?.keys.includes(key) === true ? [] : ['unknown_status'] };
  }
  const conflict = before !== null && isTerminal(before.status) && isTerminal(shown) && before.status !== shown
    && readStatus(before.snapshot.FundsRecovery.Status) !== shown;
  return { facts: [], alerts: conflict ? ['conflicting_end'] : [] };
}
