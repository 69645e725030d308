import { actorOf } from '../../contract/actor.ts';
import type { components } from '../../contract/generated/types.ts';
import type { UserPrincipal } from '../../contract/principal.ts';
import type { Transaction } from '../../database/index.ts';
import { assertMatch } from '../../http/etag.ts';
import { Problem } from '../../http/problem.ts';
import type { TenantStatus } from '../../http/tenant-status.ts';
import { assertNothingHeld } from './retention.ts';
import { cancelTenantClosure, findTenant, lockTenant, requestTenantClosure, setTenantStatus } from './store/tenants.ts';
import type { TenantRecord } from './tenant.ts';

type Wanted = components['schemas']['TenantStatusUpdate'];

interface Request {
  readonly tenantId: string;
  readonly ifMatch: string | undefined;
  readonly wanted: Wanted;
  readonly now: Date;
}

export interface StatusChanged {
  readonly before: TenantRecord;
  readonly after: TenantRecord;
  /** `closure_cancelled`: the status is what it was, but nobody wants to close the tenant any more. */
  readonly outcome: 'changed' | 'closure_requested' | 'closure_cancelled' | 'unchanged';
}

/** A tenant becomes active by going live itself; a closed one stays closed. */
const ALLOWED: Readonly<Record<TenantStatus, readonly Wanted['status'][]>> = {
  onboarding: ['suspended', 'closed'], active: ['suspended', 'closed'], suspended: ['active', 'closed'], closed: [],
};

export async function changeStatus(tx: Transaction, caller: UserPrincipal, { tenantId, ifMatch, wanted, now }: Request): Promise<StatusChanged> {
  const before = await lockTenant(tx, tenantId);
  if (before === null) throw new Problem('not_found');
  assertMatch(ifMatch, before.version);
  const { status, closure } = before;
  const after = async (): Promise<TenantRecord> => await findTenant(tx, tenantId) as TenantRecord;
  if (wanted.status === status) {
    if (closure === null) return { before, after: before, outcome: 'unchanged' };
    await cancelTenantClosure(tx, tenantId, now);
    return { before, after: await after(), outcome: 'closure_cancelled' };
  }
  if (!ALLOWED[status].includes(wanted.status)) {
    throw new Problem('invalid_state_transition', { currentStatus: status, allowedTransitions: ALLOWED[status] });
  }
  const { reasonCode: reason, note = null } = wanted;
  if (wanted.status === 'closed') {
    await assertNothingHeld(tx, tenantId, now);
    if (closure === null) {
      await requestTenantClosure(tx, tenantId, { by: caller.userId, reason, note }, now);
      return { before, after: await after(), outcome: 'closure_requested' };
    }
    if (closure.requestedBy.id === caller.userId) throw new Problem('second_administrator_required');
  }
  await setTenantStatus(tx, tenantId, { ...landing(before, wanted.status), reason, note, by: actorOf(caller) }, now);
  return { before, after: await after(), outcome: 'changed' };
}

/** Lifting a suspension leads back to where the tenant was: it is no way around going live. */
function landing({ status, suspendedFrom }: TenantRecord, wanted: Wanted['status']): Pick<TenantRecord, 'status' | 'suspendedFrom'> {
  if (wanted === 'active') return { status: suspendedFrom ?? 'active', suspendedFrom: null };
  return { status: wanted, suspendedFrom: wanted === 'suspended' && (status === 'onboarding' || status === 'active') ? status : null };
}
