import type { Database } from '../../../database/index.ts';
import type { FeedAlarm } from './feed-alarm.ts';
import { findWindow } from './store.ts';

/**
 * Whether every place of a tenant's feeds holds its event, as readers count on: at its end, and somewhere in it, elsewhere
 * each time. How many gaps were found.
 */
export async function checkFeed(database: Database, tenantId: string, alarm: FeedAlarm, somewhere = Math.random()): Promise<number> {
  let gaps = 0;
  for (const env of ['live', 'sandbox'] as const) {
    for (const at of [1, somewhere]) {
      const [window] = await database.transaction({ tenantId, readOnly: true }, (tx) => tx.run(findWindow, { tenantId, env, at }));
      if (window === undefined || window.found === window.expected) continue;
      alarm.gap(tenantId, env, window);
      gaps += 1;
      break;
    }
  }
  return gaps;
}
