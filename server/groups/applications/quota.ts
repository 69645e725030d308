import type { Environment } from '../../contract/principal.ts';
import type { Transaction } from '../../database/index.ts';
import { Problem } from '../../http/problem.ts';
import { SettledSums } from './settled-sums.ts';
import { applicationsPerMonth, lockQuota, storageGb, type Measure } from './store/usage.ts';

interface Of {
  readonly tenantId: string;
  readonly environment: Environment;
}

/** Requests that may be on their way at the same time, in all processes together. */
const MOST_AT_ONCE = 1_000;
/** As much as all uploads that may be on their way are plausible to hold. */
const MOST_BYTES_AT_ONCE = 2 * 1024 ** 3;

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

  /** Creates an application if the month has room for it; counting takes no round trip of its own. */
  async create(tx: Transaction, { tenantId, environment }: Of, now: Date, create: () => Promise<void>): Promise<void> {
    if (environment !== 'live') return create();
    const begin = startOfMonth(now);
    const [room] = await Promise.all([this.#room(tx, applicationsPerMonth, tenantId, begin, now), create()]);
    if (room >= MOST_AT_ONCE) return;
    lockQuota(tx, tenantId, 'applicationsPerMonth');
    // The application itself is counted now.
    if (await exactRoom(tx, applicationsPerMonth, tenantId, begin) < 0) throw exceeded('applicationsPerMonth');
  }

  /** A document of this size may be stored: judged in the same way, but before the file is written. */
  async assertStorage(tx: Transaction, { tenantId, environment }: Of, now: Date, bytes: number): Promise<void> {
    if (environment !== 'live') return;
    if (await this.#room(tx, storageGb, tenantId, BEGINNING, now) >= bytes + MOST_BYTES_AT_ONCE) return;
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

/** What a tenant uses now, for those who look at it. */
export async function liveUsage(tx: Transaction, tenantId: string, now: Date): Promise<{ applicationsThisMonth: number; storageBytes: number }> {
  const [applicationsThisMonth, storageBytes] = await Promise.all([
    applicationsPerMonth.used(tx, { tenantId, from: startOfMonth(now), until: END }), storageGb.used(tx, { tenantId, from: BEGINNING, until: END }),
  ]);
  return { applicationsThisMonth, storageBytes };
}
