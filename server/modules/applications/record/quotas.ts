/**
 * Enforces the quotas of tenants on applications and storage. Called when applications are created and documents
 * uploaded, and its report of the live usage is exported by the index. Far from the limit it counts without a lock, by
 * cached sums; near it, transactions wait for each other, so that simultaneous requests cannot exceed the quota.
 */
import { BoundedMap } from '../../../base/bounded-map.ts';
import { MINUTE_MILLISECONDS } from '../../../base/time.ts';
import type { Environment } from '../../../contract/operation.ts';
import { Problem } from '../../../contract/problem.ts';
import type { Transaction } from '../../../database/index.ts';
import { applicationsPerMonth, lockQuota, type Measure, storageGb } from './quota-store.ts';

/** Sum of the rows from before an instant. */
export interface Settled {
  readonly until: Date;
  readonly sum: number;
}

/**
 * Age below which rows do not count as settled: younger rows may still be added by open transactions, or by a process
 * whose clock is behind.
 */
const UNSETTLED = 10 * MINUTE_MILLISECONDS;
/** Least time since the last settled instant for which computing a new settled sum is worth its cost. */
const WORTHWHILE = 30 * MINUTE_MILLISECONDS;
const CAPACITY = 10_000;

/**
 * Caches sums over rows that are rarely deleted. No rows are added to old periods any more, so each process sums an old
 * period once, and a request counts only the rows since then. A deleted row makes the cached sum too large, so a caller
 * near a limit counts everything again.
 */
class SettledSums {
  readonly #known = new BoundedMap<string, Settled>(CAPACITY);

  of(name: string, begin: Date): Settled {
    return this.#known.get(name) ?? { until: begin, sum: 0 };
  }

  /** Extends the settled period, if that is worth its cost. `add` returns the sum of the rows between two instants. */
  async advance(
    name: string,
    settled: Settled,
    now: Date,
    add: (from: Date, until: Date) => Promise<number>,
  ): Promise<void> {
    if (now.getTime() - settled.until.getTime() < WORTHWHILE) return;
    const until = new Date(now.getTime() - UNSETTLED);
    this.#known.set(name, { until, sum: settled.sum + (await add(settled.until, until)) });
  }
}

interface QuotaSubject {
  readonly tenantId: string;
  readonly environment: Environment;
}

/** Lower bound of what is left of the quota in the month that starts at `begin`, without the requests in progress. */
interface MonthlyRoom {
  readonly begin: Date;
  readonly left: number;
}

/** Highest number of simultaneous requests, over all processes. */
const MAX_CONCURRENT_REQUESTS = 1_000;
/** Highest expected size of all simultaneous uploads, in bytes. */
const MAX_CONCURRENT_BYTES = 2 * 1024 ** 3;

/** Period for which a quota holds, until now. */
interface Period {
  readonly begin: Date;
  readonly now: Date;
}

const BEGINNING = new Date(0);
/** Instant later than any row, whatever the clocks of the processes say. */
const END = new Date('9999-01-01T00:00:00Z');

/** Returns the start of the calendar month in UTC. */
function startOfMonth(now: Date): Date {
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth()));
}

/**
 * Enforces the quotas of tenants. Usage is counted from the rows themselves. Far from the limit no lock is taken, so
 * that no request waits for another. Near the limit the transactions count one after another, so that simultaneous
 * requests cannot exceed the quota.
 */
export class Quotas {
  readonly #settled = new SettledSums();

  /**
   * Returns what is left of the monthly quota. Run in parallel with other statements, it needs no round trip of its
   * own.
   */
  async monthlyRoom(tx: Transaction, { tenantId, environment }: QuotaSubject, now: Date): Promise<MonthlyRoom> {
    const begin = startOfMonth(now);
    return {
      begin,
      left:
        environment === 'live'
          ? await this.#room(tx, applicationsPerMonth, tenantId, { begin, now })
          : Number.POSITIVE_INFINITY,
    };
  }

  /** Creates an application, and throws if that exceeds the monthly quota. */
  async create(
    tx: Transaction,
    { tenantId, environment }: QuotaSubject,
    { now, room }: { readonly now: Date; readonly room: MonthlyRoom },
    create: () => Promise<void>,
  ): Promise<void> {
    await create();
    const begin = startOfMonth(now);
    // `room` is of the previous month if a new month began after it was read.
    if (environment !== 'live' || (room.left >= MAX_CONCURRENT_REQUESTS && room.begin.getTime() === begin.getTime()))
      return;
    lockQuota(tx, tenantId, 'applicationsPerMonth');
    // The count includes the new application.
    if ((await exactRoom(tx, applicationsPerMonth, tenantId, begin)) < 0) throw exceeded('applicationsPerMonth');
  }

  /** Throws if a document of this size exceeds the storage quota. Runs before the file is written. */
  async assertStorage(
    tx: Transaction,
    { tenantId, environment }: QuotaSubject,
    now: Date,
    bytes: number,
  ): Promise<void> {
    if (environment !== 'live') return;
    if ((await this.#room(tx, storageGb, tenantId, { begin: BEGINNING, now })) >= bytes + MAX_CONCURRENT_BYTES) return;
    lockQuota(tx, tenantId, 'storageGb');
    if ((await exactRoom(tx, storageGb, tenantId, BEGINNING)) < bytes) throw exceeded('storageGb');
  }

  /**
   * Returns a lower bound of what is left of the quota, without the requests in progress. More may be left if rows were
   * erased after the settled sum was computed.
   */
  async #room(tx: Transaction, measure: Measure, tenantId: string, { begin, now }: Period): Promise<number> {
    const name = `${measure.name} ${tenantId} ${begin.toISOString()}`;
    const settled = this.#settled.of(name, begin);
    const { quota, used } = await measure.quotaUse(tx, { tenantId, from: settled.until, until: END });
    if (quota === null) return Number.POSITIVE_INFINITY;
    await this.#settled.advance(name, settled, now, (from, until) => measure.used(tx, { tenantId, from, until }));
    return quota - settled.sum - used;
  }
}

async function exactRoom(tx: Transaction, measure: Measure, tenantId: string, begin: Date): Promise<number> {
  const { quota, used } = await measure.quotaUse(tx, { tenantId, from: begin, until: END });
  return quota === null ? Number.POSITIVE_INFINITY : quota - used;
}

function exceeded(quota: Measure['name']): Problem {
  return new Problem('quota_exceeded', { detail: `The quota ${quota} is used up.` });
}

/** Returns the current usage of a tenant, for display. */
export async function liveUsage(
  tx: Transaction,
  tenantId: string,
  now: Date,
): Promise<{ applicationsThisMonth: number; storageBytes: number }> {
  const [applicationsThisMonth, storageBytes] = await Promise.all([
    applicationsPerMonth.used(tx, { tenantId, from: startOfMonth(now), until: END }),
    storageGb.used(tx, { tenantId, from: BEGINNING, until: END }),
  ]);
  return { applicationsThisMonth, storageBytes };
}
