/**
 * Tells the operators that a watch list is out of date, by metric and log. Created when the process starts; its
 * periodic job is registered by the index. A list that was never imported counts only if it is mandatory.
 */
import { Gauge, type Registry } from 'prom-client';
import type { Log } from '../../base/log.ts';
import { MINUTE_MILLISECONDS, MINUTE_SECONDS, type RealTime } from '../../base/time.ts';
import type { Database } from '../../database/index.ts';
import type { Job, JobServices } from '../../tasks/job.ts';
import { screeningLists } from './lists.ts';

/** How long a process exports its last check after another process has taken over. */
const FORGOTTEN_MILLISECONDS = 30 * MINUTE_MILLISECONDS;

/** Warns the operators of the platform if a list is out of date: in metrics, and in the log when it becomes so. */
export class ListAlarm {
  readonly #stale: Gauge<'list'>;
  readonly #log: Log;
  #known: ReadonlySet<string> = new Set();
  #checkedAt = 0;

  constructor(registry: Registry, log: Log, clock: () => Date) {
    const isForgotten = (): boolean => clock().getTime() - this.#checkedAt > FORGOTTEN_MILLISECONDS;
    this.#stale = new Gauge({
      name: 'watch_list_stale',
      help:
        '1 for a watch list that nobody has compared with its publisher for too long, or a mandatory one ' +
        'that was never imported.',
      labelNames: ['list'],
      registers: [registry],
      collect() {
        if (isForgotten()) this.reset();
      },
    });
    this.#log = log;
  }

  /**
   * Checks the lists of the live environment, and returns how many are out of date. A list that was never imported is
   * not in use, unless it is mandatory.
   */
  async check(database: Database, now: RealTime): Promise<number> {
    const lists = (
      await database.platform({ tenantId: null, readOnly: true }, (tx) => screeningLists(tx, 'live', now))
    ).filter(({ version, mandatory }) => version !== null || mandatory);
    const stale = new Set(lists.filter(({ isStale }) => isStale).map(({ id }) => id));
    for (const { id, checkedAt } of lists) {
      this.#stale.set({ list: id }, stale.has(id) ? 1 : 0);
      if (stale.has(id) && !this.#known.has(id)) this.#log.warn({ list: id, checkedAt }, 'a watch list is out of date');
    }
    this.#known = stale;
    this.#checkedAt = now.getTime();
    return stale.size;
  }
}

export const listAlarmJob: Job<JobServices & { readonly listAlarm: ListAlarm }> = {
  name: 'lists.check',
  everySeconds: 10 * MINUTE_SECONDS,
  run: ({ services: { database, listAlarm, clock } }) => listAlarm.check(database, clock()),
};
