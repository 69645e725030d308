import { BoundedMap } from '../../http/bounded-map.ts';

/** What rows from before an instant add up to. */
export interface Settled {
  readonly until: Date;
  readonly sum: number;
}

/** Younger rows may belong to transactions that have not ended yet, or to a process whose clock is behind. */
const UNSETTLED = 10 * 60_000;
/** So much time must be gained before it is worth adding up. */
const WORTHWHILE = 30 * 60_000;
const CAPACITY = 10_000;

/**
 * Sums over rows that are only ever added: what is old enough does not change any more, so that each process adds it up
 * once, and a request looks at what came since.
 */
export class SettledSums {
  readonly #known = new BoundedMap<string, Settled>(CAPACITY);

  of(name: string, begin: Date): Settled {
    return this.#known.get(name) ?? { until: begin, sum: 0 };
  }

  /** Moves the border forwards, if that is worth it; `add` answers the sum of the rows between two instants. */
  async advance(name: string, settled: Settled, now: Date, add: (from: Date, until: Date) => Promise<number>): Promise<void> {
    if (now.getTime() - settled.until.getTime() < WORTHWHILE) return;
    const until = new Date(now.getTime() - UNSETTLED);
    this.#known.set(name, { until, sum: settled.sum + await add(settled.until, until) });
  }
}
