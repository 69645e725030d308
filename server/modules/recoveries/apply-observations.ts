/**
 * Brings the records of recoveries up to date with what was read from the directory, and publishes the events that
 * follow. Called, through the index, by recovery-ingestion. It locks records and the head of the feed, so it must be
 * the last step of its transaction that waits for locks.
 */
import type { Environment } from '../../contract/operation.ts';
import type { Transaction } from '../../database/index.ts';
import { publishEvents } from '../recovery-feed/index.ts';
import { readSettings } from '../tenant-settings/index.ts';
import { derive } from './derive.ts';
import type { Anomaly } from './facts.ts';
import type { Observation } from './observation.ts';
import type { StageLimits } from './recovery.ts';
import { lockRecords, saveRecords } from './store.ts';

interface Applied {
  readonly published: number;
  readonly alerts: readonly { readonly alert: Anomaly; readonly recoveryId: string }[];
}

/**
 * Brings records up to date with the observations and publishes the resulting events, all or nothing within the
 * transaction. Must be the last step of its transaction that waits for locks.
 */
export async function applyObservations(
  tx: Transaction,
  environment: Environment,
  observations: readonly Observation[],
  limits: StageLimits,
): Promise<Applied> {
  const alerts: Applied['alerts'][number][] = [];
  let published = 0;
  if (observations.length === 0) return { published, alerts };
  const { fundsRecovery } = await readSettings(tx, tx.tenantId!);
  const { deadlineNoticeHours } = fundsRecovery;
  // Two participants of one tenant can both have read the same recovery. The second observation is then applied to the
  // record as the first one left it.
  for (const layer of layersByRecovery(observations)) {
    const records = await lockRecords(
      tx,
      environment,
      layer.map(({ recovery }) => recovery.Id),
    );
    const derived = layer.map((observation) =>
      derive(records.get(observation.recovery.Id.toLowerCase()) ?? null, observation, limits, deadlineNoticeHours),
    );
    for (const { record, alerts: found } of derived)
      alerts.push(...found.map((alert) => ({ alert, recoveryId: record.id })));
    await saveRecords(
      tx,
      environment,
      derived.map(({ record }) => record),
    );
    const events = derived.flatMap(({ events: own }) => own);
    if (events.length > 0) published += await publishEvents(tx, environment, events);
  }
  return { published, alerts };
}

function layersByRecovery(observations: readonly Observation[]): Observation[][] {
  const byRecovery = Map.groupBy(observations, ({ recovery }) => recovery.Id.toLowerCase());
  const depth = Math.max(0, ...[...byRecovery.values()].map((group) => group.length));
  return Array.from({ length: depth }, (_, index) =>
    [...byRecovery.values()].flatMap((group) => group.slice(index, index + 1)),
  );
}
