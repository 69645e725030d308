import { PLATFORM_TENANT_ID, withinTenant, type Transaction } from '../../database/index.ts';
import type { Services } from '../../services.ts';
import { aboutUser } from './identity.ts';
import { mailTo } from './person.ts';
import { record, type Origin } from './record.ts';
import { securityPolicy } from './security-policy.ts';
import type { User } from './store/accounts.ts';
import type { Counter } from './throttle.ts';

interface Failure {
  /** Entered before. */
  readonly throttle: Counter;
  readonly user: User | null;
  /** In whose chains it is written. */
  readonly tenantIds: readonly string[];
  /** Null at an open session: its refusals are written down with all others. */
  readonly reason: 'invalid_credentials' | 'invalid_mfa_code' | null;
  /** What the owner is told of a lock. */
  readonly notice?: 'accountLocked' | 'sessionLocked';
}

/**
 * Counts something wrong, and writes it into the chains of the person's tenants; the first of
 * several that lock is also mailed to its owner. What nobody can be blamed for goes to the platform's chain, under the keyed hash of the
 * address that was tried.
 */
export async function countFailure(tx: Transaction, mail: Services['mail'], { throttle, user, tenantIds, reason, notice = 'accountLocked' }: Failure, origin: Origin): Promise<void> {
  const lock = await throttle.fail(tx);
  const known = user !== null && tenantIds.length > 0;
  const tenants = known ? tenantIds : [PLATFORM_TENANT_ID];
  for (const tenantId of tenants) {
    const about = known ? aboutUser(user, tenantId) : {
      actor: { type: 'user', id: null, display: 'unknown' }, resource: { type: 'sign_in_address', id: throttle.account }, environment: 'live',
    } as const;
    if (reason !== null) record<'login'>(tx, tenantId, origin, { ...about, action: 'auth.login.failed', outcome: 'failed', reason });
    if (lock !== null) record<'login'>(tx, tenantId, origin, { ...about, action: 'auth.login.locked', outcome: 'denied', reason: 'too_many_failures' });
  }
  if (lock === null) return;
  const [tenantId = PLATFORM_TENANT_ID] = tenants;
  const policy = await securityPolicy(withinTenant(tx, tenantId), tenantId);
  if (known && lock.isNews) mail.queue(tx, { ...mailTo(user, [policy]), template: notice, values: { until: lock.until, ip: origin.clientIp } });
}
