import { appendAudit } from '../../audit/chain.ts';
import type { Environment } from '../../contract/operation.ts';
import type { Database, Transaction } from '../../database/index.ts';
import type { ScheduledTenant } from '../../identity/store.ts';
import { addMilliseconds, changedStatus } from './application.ts';
import { endInformationRequest } from './information-store.ts';
import { writingDelay } from './list-store.ts';
import { EXPIRED_AT_ONCE, expireApproved, expireDue } from './store.ts';

const ACTOR = { type: 'system', id: 'applications.expire', display: 'Expiry of applications', impersonatorId: null } as const;
/** What expires, and why. */
const DUE = { draft: 'draft_expired', needs_information: 'information_overdue', approved: 'validity_ended' } as const;

export interface Expired {
  readonly id: string;
  readonly from: keyof typeof DUE;
}

/** Ends the drafts that nobody submitted in time, the applications whose applicants did not answer, and the approvals that hold no longer: by the clock of their environment, and recorded by the real one. */
export async function expireApplications(database: Database, { id: tenantId, sandboxAheadMilliseconds }: ScheduledTenant, now: Date, signal: AbortSignal): Promise<number> {
  const times: Record<Environment, Date> = { live: now, sandbox: new Date(now.getTime() + sandboxAheadMilliseconds) };
  let sum = 0;
  for (const environment of ['live', 'sandbox'] as const) {
    let count = EXPIRED_AT_ONCE;
    while (count >= EXPIRED_AT_ONCE && !signal.aborted) {
      count = await expireSome(database, tenantId, environment, times[environment], now);
      sum += count;
    }
  }
  return sum;
}

function expireSome(database: Database, tenantId: string, environment: Environment, businessTime: Date, now: Date): Promise<number> {
  return database.transaction({ tenantId }, async (tx) => (await expireApplicationsIn(tx, environment, businessTime, now)).length);
}

/** A bounded number of them, in the transaction of the caller. */
export async function expireApplicationsIn(tx: Transaction, environment: Environment, businessTime: Date, now: Date): Promise<Expired[]> {
  const time = addMilliseconds(businessTime, await writingDelay(tx, now));
  const when = { environment, time, now };
  return [...await expireFrom(tx, 'draft', when), ...await expireFrom(tx, 'needs_information', when), ...await expireFrom(tx, 'approved', when)];
}

interface When {
  readonly environment: Environment;
  readonly time: Date;
  readonly now: Date;
}

async function expireFrom(tx: Transaction, from: Expired['from'], { environment, time, now }: When): Promise<Expired[]> {
  const expired = { status: 'expired', statusReason: DUE[from] } as const;
  const rows = await tx.run(from === 'approved' ? expireApproved : expireDue, { tenantId: tx.tenantId!, environment, from, now: time, reason: expired.statusReason });
  for (const { id } of rows) {
    const event = { occurredAt: now.toISOString(), environment, actor: ACTOR, outcome: 'success' } as const;
    const resource = { type: 'application', id } as const;
    const request = from === 'needs_information' ? await endInformationRequest(tx, id, { status: 'overdue', answeredAt: null }) : null;
    if (request !== null) {
      appendAudit(tx, { ...event, resource: { type: 'information_request', id: request }, action: 'information_request.overdue', changes: [{ op: 'replace', path: '/applicationId', value: id }] });
    }
    appendAudit(tx, { ...event, resource, action: 'application.expired' });
    appendAudit(tx, { ...event, resource, action: 'application.status_changed', changes: changedStatus(expired) });
  }
  return rows.map(({ id }) => ({ id, from }));
}
