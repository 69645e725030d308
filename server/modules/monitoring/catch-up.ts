/**
 * Task that queues runs for subscriptions whose last comparison has become incomplete. Registered by the index and
 * queued by changes of settings, of the own list and of the algorithm. Works in batches; if it fails for good, the
 * periodic work of dates.ts does the rest.
 */
import type { TaskKind } from '../../tasks/task.ts';
import { COMPARISON_CHANGED } from '../tenant-settings/index.ts';
import { requestOutdatedRuns } from './comparison-store.ts';

/** Batch size of queued runs. */
const AT_ONCE = 500;

/**
 * Queues runs for subscriptions whose last comparison is incomplete because a setting, the own list or the released
 * algorithm has changed. The periodic job would find them minutes later. A change of the own list queues every
 * subscription, because the screenings themselves find out whom it concerns; tenants change it rarely.
 */
export const catchUpTask: TaskKind<unknown> = {
  name: COMPARISON_CHANGED.name,
  step: async ({ tx, now }) => {
    let count = 0;
    for (const environment of ['live', 'sandbox'] as const)
      count += (await requestOutdatedRuns(tx, environment, AT_ONCE, now)).length;
    return count === 0 ? null : 0;
  },
  // If the task fails for good, the periodic job queues the remaining runs.
  giveUp: async () => {},
};
