import { BoundedMap } from '../../base/bounded-map.ts';
import { MINUTE_MILLISECONDS } from '../../base/time.ts';
import type { Environment } from '../../contract/operation.ts';
import { Problem } from '../../contract/problem.ts';
import type { Transaction } from '../../database/index.ts';
import { applicationsPerMonth, lockQuota, type Measure, storageGb } from './quota-store.ts';

/** What rows from before an instant add up to. */
export interface Settled {
  readonly until: Date;
  readonly sum: number;
}

/** Younger rows may belong to transactions that have not ended yet, or to a process whose clock is behind. */
const UNSETTLED = 10 * MINUTE_MILLISECONDS;
/** So much time must be gained before it is worth adding up. */
const WORTHWHILE = 30 * MINUTE_MILLISECONDS;
const CAPACITY = 10_000;

/**
 * Sums over rows that hardly ever go: what is old enough is not added to any more, so that each process adds it up once, and a
 * request only counts the rows since then. A row that has gone makes a sum too large, so whoever comes near a limit counts again.
 */
class SettledSums {
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

interface QuotaSubject {
  readonly tenantId: string;
  readonly environment: Environment;
}

/** At least so many applications may still be created in the month that began then, but for those that are on their way. */
interface MonthlyRoom {
  readonly begin: Date;
  readonly left: number;
}

/** The most requests that may be in progress at the same time, in all processes together. */
const MAX_CONCURRENT_REQUESTS = 1_000;
/** The most bytes that all uploads in progress are expected to have. */
const MAX_CONCURRENT_BYTES = 2 * 1024 ** 3;

const BEGINNING = new Date(0);
/** Whatever the clocks of processes say, nothing is from later. */
const END = new Date('9999-01-01T00:00:00Z');

/** Calendar months of UTC. */
function startOfMonth(now: Date): Date {
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth()));
}

/**
 * Holds tenants to what they may use. Usage is counted from the rows themselves: far from the limit without a lock, so
 * that nobody waits for anybody; near it one transaction after the other counts again, so that they cannot all be the last.
 */
export class Quotas {
  readonly #settled = new SettledSums();

  /** The room of the month for applications; asked together with something else it takes no round trip of its own. */
  async monthlyRoom(tx: Transaction, { tenantId, environment }: QuotaSubject, now: Date): Promise<MonthlyRoom> {
    const begin = startOfMonth(now);
    return { begin, left: environment === 'live' ? await this.#room(tx, applicationsPerMonth, tenantId, begin, now) : Number.POSITIVE_INFINITY };
  }

  /** Creates an application if the month has room for it. */
  async create(tx: Transaction, { tenantId, environment }: QuotaSubject, now: Date, room: MonthlyRoom, create: () => Promise<void>): Promise<void> {
    await create();
    const begin = startOfMonth(now);
    // The room is another month's if one began while it was asked for.
    if (environment !== 'live' || (room.left >= MAX_CONCURRENT_REQUESTS && room.begin.getTime() === begin.getTime())) return;
    lockQuota(tx, tenantId, 'applicationsPerMonth');
    // The application itself is counted now.
    if (await exactRoom(tx, applicationsPerMonth, tenantId, begin) < 0) throw exceeded('applicationsPerMonth');
  }

  /** A document of this size may be stored: judged in the same way, but before the file is written. */
  async assertStorage(tx: Transaction, { tenantId, environment }: QuotaSubject, now: Date, bytes: number): Promise<void> {
    if (environment !== 'live') return;
    if (await this.#room(tx, storageGb, tenantId, BEGINNING, now) >= bytes + MAX_CONCURRENT_BYTES) return;
    lockQuota(tx, tenantId, 'storageGb');
    if (await exactRoom(tx, storageGb, tenantId, BEGINNING) < bytes) throw exceeded('storageGb');
  }

  /** At least this much is left, but for what is on its way; what was erased since it was added up may leave more. */
  async #room(tx: Transaction, measure: Measure, tenantId: string, begin: Date, now: Date): Promise<number> {
    const name = `${measure.name} ${tenantId} ${begin.toISOString()}`;
    const settled = this.#settled.of(name, begin);
    const { quota, used } = await measure.standing(tx, { tenantId, from: settled.until, until: END });
    if (quota === null) return Number.POSITIVE_INFINITY;
    await this.#settled.advance(name, settled, now, (from, until) => measure.used(tx, { tenantId, from, until }));
    return quota - settled.sum - used;
  }
}

async function exactRoom(tx: Transaction, measure: Measure, tenantId: string, begin: Date): Promise<number> {
  const { quota, used } = await measure.standing(tx, { tenantId, from: begin, until: END });
  return quota === null ? Number.POSITIVE_INFINITY : quota - used;
}

function exceeded(quota: Measure['name']): Problem {
  return new Problem('quota_exceeded', { detail: `The quota ${quota} is used up.` });
}

/** What a tenant uses now, for display. */
export async function liveUsage(tx: Transaction, tenantId: string, now: Date): Promise<{ applicationsThisMonth: number; storageBytes: number }> {
  const [applicationsThisMonth, storageBytes] = await Promise.all([
    applicationsPerMonth.used(tx, { tenantId, from: startOfMonth(now), until: END }), storageGb.used(tx, { tenantId, from: BEGINNING, until: END }),
  ]);
  return { applicationsThisMonth, storageBytes };
}
