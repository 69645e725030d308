import type { Environment } from '../../contract/principal.ts';
import { appendAudit, type Database, type TenantInTurn, type Transaction } from '../../database/index.ts';
import { changedStatus } from './changes.ts';
import { EXPIRED_AT_ONCE, expireDue } from './store/expire.ts';
import { writingDelay } from './store/writing-time.ts';
import { later } from './time-of-change.ts';

const ACTOR = { type: 'system', id: 'applications.expire', display: 'Expiry of drafts', impersonatorId: null } as const;
const EXPIRED = { status: 'expired', statusReason: 'draft_expired' } as const;

/** Ends the drafts that nobody submitted in time: by the clock of their environment, and recorded by the real one. */
export async function expireDrafts(database: Database, { id: tenantId, sandboxAheadMilliseconds }: TenantInTurn, now: Date, signal: AbortSignal): Promise<number> {
  const times: Record<Environment, Date> = { live: now, sandbox: new Date(now.getTime() + sandboxAheadMilliseconds) };
  let sum = 0;
  for (const environment of ['live', 'sandbox'] as const) {
    let count = EXPIRED_AT_ONCE;
    while (count === EXPIRED_AT_ONCE && !signal.aborted) {
      count = await expireSome(database, tenantId, environment, times[environment], now);
      sum += count;
    }
  }
  return sum;
}

function expireSome(database: Database, tenantId: string, environment: Environment, businessTime: Date, now: Date): Promise<number> {
  return database.transaction({ tenantId }, async (tx) => (await expireDraftsIn(tx, environment, businessTime, now)).length);
}

/** A bounded number of them, in the transaction of the caller; their ids. */
export async function expireDraftsIn(tx: Transaction, environment: Environment, businessTime: Date, now: Date): Promise<string[]> {
  const time = later(businessTime, await writingDelay(tx, now));
  const expired = await tx.run(expireDue, { tenantId: tx.tenantId!, environment, now: time, reason: EXPIRED.statusReason });
  for (const { id } of expired) {
    const event = { occurredAt: now.toISOString(), environment, actor: ACTOR, resource: { type: 'application', id }, outcome: 'success' } as const;
    appendAudit(tx, { ...event, action: 'application.expired' });
    appendAudit(tx, { ...event, action: 'application.status_changed', changes: changedStatus(EXPIRED) });
  }
  return expired.map(({ id }) => id);
}
