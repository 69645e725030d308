import type { Transaction } from '../../../database/index.ts';
import { apply } from './apply.ts';
import type { Ingesting } from './context.ts';
import type { Observation } from './observation.ts';
import { actingFor, type Participant } from './participant.ts';
import { lockRecordWriters } from './store/records.ts';

export interface Owned {
  readonly tenantId: string;
  readonly observation: Observation;
}

/**
 * Takes in what was read, in one transaction, with what `first` writes: it tells whether what was read still counts. A
 * participant that reads for members in other tenants takes theirs in before its own, in a transaction for each, so that
 * its position never moves past something that was lost.
 */
export async function commit(ingesting: Ingesting, participant: Participant, observations: readonly Owned[], first: (tx: Transaction) => Promise<boolean>): Promise<boolean> {
  const byTenant = Map.groupBy(observations, ({ tenantId }) => tenantId);
  for (const [tenantId, theirs] of byTenant) {
    if (tenantId !== participant.tenantId) await takeIn(ingesting, actingFor(participant, tenantId), theirs, async () => true);
  }
  return takeIn(ingesting, participant, byTenant.get(participant.tenantId) ?? [], first);
}

async function takeIn({ database, limits, alarm }: Ingesting, participant: Participant, owned: readonly Owned[], first: (tx: Transaction) => Promise<boolean>): Promise<boolean> {
  const { env, tenantId } = participant;
  const applied = await database.transaction({ tenantId }, async (tx) => {
    await lockRecordWriters(tx, env);
    return await first(tx) ? apply(tx, env, owned.map(({ observation }) => observation), limits) : null;
  });
  if (applied === null) return false;
  alarm.published(env, applied.published);
  for (const { alert, recoveryId } of applied.alerts) alarm.raise(alert, participant, { recoveryId });
  return true;
}
