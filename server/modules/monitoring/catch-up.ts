import type { TaskKind } from '../../tasks/task.ts';
import { COMPARISON_CHANGED } from '../tenant-settings/index.ts';
import { askForOutdated } from './comparison-store.ts';

/** So many runs are queued in one step. */
const AT_ONCE = 500;

/**
 * Queues runs for everybody who was compared with less than is wanted since a setting, the own list or the released algorithm has changed. The periodic work would find them minutes later.
 * Whom a change of the own list concerns is found out by the screenings themselves: tenants change it rarely.
 */
export const catchUpTask: TaskKind<unknown> = {
  name: COMPARISON_CHANGED.name,
  step: async ({ tx, now }) => {
    let count = 0;
    for (const environment of ['live', 'sandbox'] as const) count += (await askForOutdated(tx, environment, AT_ONCE, now)).length;
    return count === 0 ? null : 0;
  },
  // The periodic work finds whoever is left.
  giveUp: async () => {},
};
