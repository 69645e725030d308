import { eventType, type Fact } from './fact.ts';
import type { Observation } from './observation.ts';
import type { RecoveryRecord, Snapshot } from './record.ts';
import { milliseconds } from './time.ts';

/** What the creator of a recovery may change after its beginning. */
const changeable = ['SituationType', 'ReportDetails', 'ContactInformation'] as const;

/**
 * Notifications that were lost in an outage longer than the directory keeps them: what changed of a known record's
 * information shows in a comparison, as one event.
 */
export function gapFacts(before: RecoveryRecord | null, { FundsRecovery: now }: Snapshot, { gapSince }: Observation): Fact[] {
  if (before === null || gapSince === null) return [];
  const { FundsRecovery: then } = before.snapshot;
  if (changeable.every((name) => JSON.stringify(then[name]) === JSON.stringify(now[name]))) return [];
  return [{
    key: `gap:${now.Id}:${gapSince}`, eventType: eventType('INFORMATION_UPDATED'), reaches: null, at: milliseconds(now.LastModified), origin: 'DERIVED',
    documents: { FundsRecovery: now },
  }];
}
