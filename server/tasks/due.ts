/**
 * Time-driven changes of records, for example expiry, which a periodic job makes tenant by tenant. Used by the modules
 * that declare what falls due. A due that neither moves nor ends would be run for ever.
 */
import { businessTime, type BusinessTime, type RealTime } from '../base/time.ts';
import type { components } from '../contract/generated/types.ts';
import type { Environment } from '../contract/operation.ts';
import type { Database, Transaction } from '../database/index.ts';
import type { ScheduledTenant } from '../identity/store.ts';

export type Effect = components['schemas']['SimulationEffect'];

interface DueMoment {
  readonly environment: Environment;
  /** Time on the clock of the environment: everything with a due date up to it is processed. */
  readonly businessTime: BusinessTime;
  /** Real time, for the audit log and for tasks. */
  readonly now: RealTime;
}

/** Time-driven change of the records of a tenant. */
export interface Due {
  /** Name of the periodic job. */
  readonly name: string;
  readonly everySeconds: number;
  /** Whether the change also applies to suspended or closed tenants, as the end of a retention period does. */
  readonly inEveryStatus?: true;
  /**
   * Returns the tenants with due records in one statement. If omitted, the job opens transactions for every tenant,
   * which costs too much every second.
   */
  readonly tenants?: (tx: Transaction, now: RealTime) => Promise<readonly ScheduledTenant[]>;
  /** Batch size. If a run changes at least as many records, more may be due. */
  readonly atOnce: number;
  /** Processes one batch of due records in the caller's transaction and returns the effects. */
  readonly run: (tx: Transaction, moment: DueMoment) => Promise<readonly Effect[]>;
}

interface DueRound {
  readonly now: RealTime;
  /** Ends the round between two batches. */
  readonly signal: AbortSignal;
}

/** Maximum number of batches per tenant in one round; the next round continues after the other tenants. */
export const MOST_PARTS = 50;

/**
 * Processes due records of a tenant in both environments, one batch per transaction, up to the limit of a round.
 * Returns the number of changed records.
 */
export async function runDue(
  database: Database,
  { atOnce, run }: Due,
  { id: tenantId, sandboxAheadMilliseconds }: ScheduledTenant,
  { now, signal }: DueRound,
): Promise<number> {
  const times = { live: businessTime(now, 0), sandbox: businessTime(now, sandboxAheadMilliseconds) };
  let sum = 0;
  for (const environment of ['live', 'sandbox'] as const) {
    let count = atOnce;
    for (let part = 0; part < MOST_PARTS && count >= atOnce && !signal.aborted; part++) {
      ({ length: count } = await database.transaction({ tenantId }, (tx) =>
        run(tx, { environment, businessTime: times[environment], now }),
      ));
      sum += count;
    }
  }
  return sum;
}
