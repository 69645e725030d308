/**
 * Records the end of a run in the ledger and in its subscription. Used by the runs of applicants and of businesses. The
 * subscription must be locked.
 */
import { addMilliseconds, type BusinessTime, DAY_MILLISECONDS, HOUR_SECONDS } from '../../base/time.ts';
import { uuidv7 } from '../../base/uuid.ts';
import type { Transaction } from '../../database/index.ts';
import { addRun, type Comparison, endRun, isCheckOfRuns, type Subscription } from '../subscriptions/index.ts';

/** Delay after which a failed run is repeated. */
const AGAIN_MILLISECONDS = HOUR_SECONDS * 1000;

export const FAILED = {
  result: 'failed',
  screeningId: null,
  newAlerts: 0,
  compared: null,
} as const;

/** Ends a run. The next one is due after the interval, if the subscription has a check that runs perform. */
export function finishRun(
  tx: Transaction,
  { id, environment, waitingFor, intervalDays, checks }: Subscription,
  at: BusinessTime,
  {
    compared,
    ...run
  }: Pick<Parameters<typeof addRun>[1], 'result' | 'screeningId' | 'newAlerts'> & {
    readonly compared: Comparison | null;
  },
): void {
  addRun(tx, {
    ...run,
    id: uuidv7(),
    subscriptionId: id,
    environment,
    at,
    trigger: waitingFor ?? 'requested',
  });
  const interval = intervalDays === null || !checks.some(isCheckOfRuns) ? null : intervalDays * DAY_MILLISECONDS;
  const pause = run.result === 'failed' ? AGAIN_MILLISECONDS : interval;
  endRun(tx, id, {
    at,
    result: run.result,
    compared,
    nextRunAt: pause === null ? null : addMilliseconds(at, pause),
  });
}
