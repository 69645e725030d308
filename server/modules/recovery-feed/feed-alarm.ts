/**
 * Reports the state of the feeds to the operators: metrics and log. Created when the process starts and used by
 * health.ts. Values are the worst of all tenants, because a label per tenant would grow without bound.
 */
import { Counter, Gauge, type Registry } from 'prom-client';
import type { Log } from '../../base/log.ts';
import type { Environment } from '../../contract/operation.ts';

/**
 * Worst values of all feeds of an environment together, because a label for each tenant or consumer would grow without
 * bound.
 */
export interface FeedSample {
  readonly oldestUnacknowledgedSeconds: number;
  /** Number of deadlines of recoveries within the next twelve hours. */
  readonly deadlinesSoon: number;
}

/** Range of sequence numbers of a feed, with the number of events that were found in it. */
export interface FeedWindow {
  readonly from: number;
  readonly expected: number;
  readonly found: number;
}

/** How long a process exports its last sample after another process has taken over. */
const staleMilliseconds = 5 * 60_000;

/** Reports the state of the feeds to the operators of the platform: in metrics, and in the log if a feed has a gap. */
export class FeedAlarm {
  readonly #gaps: Counter<'env'>;
  readonly #oldest: Gauge<'env'>;
  readonly #deadlines: Gauge<'env'>;
  readonly #log: Log;
  readonly #clock: () => Date;
  #sampledAt = 0;

  constructor(registry: Registry, log: Log, clock: () => Date) {
    const registers = [registry];
    const isStale = (): boolean => clock().getTime() - this.#sampledAt > staleMilliseconds;
    const sampled = (name: string, help: string) =>
      new Gauge({
        name,
        help,
        labelNames: ['env'],
        registers,
        collect() {
          if (isStale()) this.reset();
        },
      });
    this.#gaps = new Counter({
      name: 'funds_recovery_feed_gaps_total',
      help: 'Feeds that were found not to be dense.',
      labelNames: ['env'],
      registers,
    });
    this.#oldest = sampled(
      'funds_recovery_oldest_unacknowledged_seconds',
      'Age of the oldest event that a consumer which still polls has not acknowledged.',
    );
    this.#deadlines = sampled('funds_recovery_deadlines_soon', 'Deadlines of recoveries that end within twelve hours.');
    this.#log = log;
    this.#clock = clock;
  }

  reportGap(tenantId: string, env: Environment, { from, expected, found }: FeedWindow): void {
    this.#gaps.inc({ env });
    const gap = {
      tenantId,
      env,
      from,
      expected,
      found,
    };
    this.#log.error(gap, 'a feed of recoveries has a gap');
  }

  recordSample(env: Environment, { oldestUnacknowledgedSeconds, deadlinesSoon }: FeedSample): void {
    this.#sampledAt = this.#clock().getTime();
    this.#oldest.set({ env }, oldestUnacknowledgedSeconds);
    this.#deadlines.set({ env }, deadlinesSoon);
  }
}
