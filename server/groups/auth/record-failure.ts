import { PLATFORM_TENANT_ID, type Transaction } from '../../database/index.ts';
import { aboutUser } from './identity.ts';
import { record, type Origin } from './record.ts';
import type { User } from './store/accounts.ts';
import type { Throttle } from './throttle.ts';

/**
 * Writes a failed sign-in into the chains of the tenants that the person belongs to. What nobody can be blamed for goes
 * to the platform's chain, under the keyed hash of the address that was tried.
 */
export function recordFailure(
  tx: Transaction, tenantIds: readonly string[], user: User | null, throttle: Throttle, origin: Origin,
  reason: 'invalid_credentials' | 'invalid_mfa_code', count: 'counted' | 'locking',
): void {
  const known = user !== null && tenantIds.length > 0;
  for (const tenantId of known ? tenantIds : [PLATFORM_TENANT_ID]) {
    const about = known ? aboutUser(user, tenantId) : {
      actor: { type: 'user', id: null, display: 'unknown' }, resource: { type: 'sign_in_address', id: throttle.account }, environment: 'live',
    } as const;
    record<'login'>(tx, tenantId, origin, { ...about, action: 'auth.login.failed', outcome: 'failed', reason });
    if (count === 'locking') record<'login'>(tx, tenantId, origin, { ...about, action: 'auth.login.locked', outcome: 'denied', reason: 'too_many_failures' });
  }
}
