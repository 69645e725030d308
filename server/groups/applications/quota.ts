import type { Environment } from '../../contract/principal.ts';
import type { Transaction } from '../../database/index.ts';
import { Problem } from '../../http/problem.ts';
import { lockQuota, readApplicationStanding, readStorageStanding, type Standing } from './store/usage.ts';

interface Of {
  readonly tenantId: string;
  readonly environment: Environment;
}

/** Requests that may be on their way at the same time, in all processes together. */
const MOST_AT_ONCE = 1_000;
/** As much as all uploads that may be on their way are plausible to hold. */
const MOST_BYTES_AT_ONCE = 2 * 1024 ** 3;

/** Calendar months of UTC. */
export function startOfMonth(now: Date): Date {
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth()));
}

/**
 * Creates an application if the month has room for it. Usage is counted from the rows themselves: far from the limit
 * without a lock, and in the round trip of the insertion; near it one transaction after the other counts again, its own
 * application among them, so that they cannot all be the last.
 */
export async function createWithinQuota(tx: Transaction, { tenantId, environment }: Of, now: Date, create: () => Promise<void>): Promise<void> {
  if (environment !== 'live') return create();
  const read = () => readApplicationStanding(tx, tenantId, startOfMonth(now));
  const [standing] = await Promise.all([read(), create()]);
  if (fits(standing, MOST_AT_ONCE)) return;
  lockQuota(tx, tenantId, 'applicationsPerMonth');
  if (!fits(await read(), 0)) throw exceeded('applicationsPerMonth');
}

/** A document of this size may be stored: judged in the same way, but before the file is written. */
export async function assertStorageQuota(tx: Transaction, { tenantId, environment }: Of, bytes: number): Promise<void> {
  if (environment !== 'live') return;
  if (fits(await readStorageStanding(tx, tenantId), bytes + MOST_BYTES_AT_ONCE)) return;
  lockQuota(tx, tenantId, 'storageGb');
  if (!fits(await readStorageStanding(tx, tenantId), bytes)) throw exceeded('storageGb');
}

function fits({ quota, used }: Standing, more: number): boolean {
  return quota === null || used + more <= quota;
}

function exceeded(quota: 'applicationsPerMonth' | 'storageGb'): Problem {
  return new Problem('quota_exceeded', { detail: `The quota ${quota} is used up.` });
}
