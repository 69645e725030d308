import type { components } from '../contract/generated/types.ts';
import type { Environment } from '../contract/operation.ts';
import type { Database, Transaction } from '../database/index.ts';
import type { ScheduledTenant } from '../identity/store.ts';

export type Effect = components['schemas']['SimulationEffect'];

interface DueMoment {
  readonly environment: Environment;
  /** By the clock of the environment: what is due by then happens. */
  readonly businessTime: Date;
  /** The real time, for the record. */
  readonly now: Date;
}

/** Something that the passing of time brings about in the records of a tenant. */
export interface Due {
  /** The name of its periodic job. */
  readonly name: string;
  readonly everySeconds: number;
  /** Whether it also happens in a tenant that is suspended or closed, as the end of a retention does. */
  readonly inEveryStatus?: true;
  /** When so many things or more happened, more may be due. */
  readonly atOnce: number;
  /** Does a bounded part of what is due, in the transaction of the caller, and tells what has changed. */
  readonly run: (tx: Transaction, moment: DueMoment) => Promise<readonly Effect[]>;
}

/** So many parts are done of a tenant in one round: the next tenants have their turn, and the next round goes on. */
export const MOST_PARTS = 50;

/** Does what is due of a tenant in both environments, a part in each transaction, as far as a round goes; how much. */
export async function runDue(database: Database, { atOnce, run }: Due, { id: tenantId, sandboxAheadMilliseconds }: ScheduledTenant, now: Date, signal: AbortSignal): Promise<number> {
  const times = { live: now, sandbox: new Date(now.getTime() + sandboxAheadMilliseconds) };
  let sum = 0;
  for (const environment of ['live', 'sandbox'] as const) {
    let count = atOnce;
    for (let part = 0; part < MOST_PARTS && count >= atOnce && !signal.aborted; part++) {
      ({ length: count } = await database.transaction({ tenantId }, (tx) => run(tx, { environment, businessTime: times[environment], now })));
      sum += count;
    }
  }
  return sum;
}
