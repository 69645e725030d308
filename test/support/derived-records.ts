/** Derives a record from observations, one after the other. Used by the tests of the events that are derived. */
import { derive } from '../../server/modules/recoveries/derive.ts';
import type { Observation } from '../../server/modules/recoveries/observation.ts';
import { type RecoveryRecord, standardStageLimits } from '../../server/modules/recoveries/recovery.ts';
import { short } from './recovery-observations.ts';

export function run(...observations: Observation[]) {
  let record: RecoveryRecord | null = null;
  const batches = observations.map((observation) => {
    const derived = derive(record, observation, standardStageLimits);
    record = derived.record;
    return {
      told: derived.events.map(({ eventType, status, occurredAt }) => [short(eventType), status, occurredAt]),
      ...derived,
    };
  });
  return batches;
}
