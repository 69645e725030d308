/**
 * Stores observations together with the new position in the directory's stream, in one transaction per tenant. Used by
 * every step that reads the directory. The position must never be stored before the observations, or a crash would lose
 * them.
 */
import type { Transaction } from '../../database/index.ts';
import { applyObservations, lockRecordWriters, type Observation } from '../recoveries/index.ts';
import type { IngestionContext } from './context.ts';
import { actingFor, type Participant } from './participants.ts';

/** Number of parallel reads, equal to the number of connections that a participant has to the directory. */
const parallelReads = 4;

/**
 * Returns the results in the order of the items. After the first failure no further items start, and the failure is
 * thrown once the running ones have ended.
 */
export async function inParallel<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  for (let start = 0; start < items.length; start += parallelReads) {
    const settled = await Promise.allSettled(items.slice(start, start + parallelReads).map(work));
    for (const result of settled) {
      if (result.status === 'rejected') throw result.reason;
      results.push(result.value);
    }
  }
  return results;
}

export interface TenantObservation {
  readonly tenantId: string;
  readonly observation: Observation;
}

/**
 * Stores observations in one transaction together with the writes of `first`, which returns whether the observations
 * still count. If a participant reads for members in other tenants, their observations are stored before its own, in
 * one transaction per tenant, so that the participant's position never moves past a lost observation.
 */
export async function commitObservations(
  ingesting: IngestionContext,
  participant: Participant,
  observations: readonly TenantObservation[],
  first: (tx: Transaction) => Promise<boolean>,
): Promise<boolean> {
  const byTenant = Map.groupBy(observations, ({ tenantId }) => tenantId);
  for (const [tenantId, theirs] of byTenant) {
    if (tenantId !== participant.tenantId)
      await commitForTenant(ingesting, actingFor(participant, tenantId), theirs, async () => true);
  }
  return commitForTenant(ingesting, participant, byTenant.get(participant.tenantId) ?? [], first);
}

async function commitForTenant(
  { database, limits, alarm }: IngestionContext,
  participant: Participant,
  owned: readonly TenantObservation[],
  first: (tx: Transaction) => Promise<boolean>,
): Promise<boolean> {
  const { environment, tenantId } = participant;
  const applied = await database.transaction({ tenantId }, async (tx) => {
    await lockRecordWriters(tx, environment);
    return (await first(tx))
      ? applyObservations(
          tx,
          environment,
          owned.map(({ observation }) => observation),
          limits,
        )
      : null;
  });
  if (applied === null) return false;
  alarm.published(environment, applied.published);
  for (const { alert, recoveryId } of applied.alerts) alarm.raise(alert, participant, { recoveryId });
  return true;
}
