import { PLATFORM_TENANT_ID, type Transaction } from '../../database/index.ts';
import type { UserPrincipal } from '../../contract/principal.ts';
import { Problem } from '../../http/problem.ts';
import { localeOf, type Outbox } from '../../providers/mail/index.ts';
import { endSessionsOfPerson, resetMfa } from '../auth/index.ts';
import { readSettings } from '../settings/index.ts';
import { assertMayTouch, isSelf } from './rank.ts';
import { findUser } from './store/find.ts';
import { lockTerms, otherTenantsOf } from './store/members.ts';
import type { UserRecord } from './user.ts';

export interface MfaReset {
  readonly user: UserRecord;
  /** Whether there was a second factor. It is the person's, so the other tenants that they work for lose it too. */
  readonly removed: boolean;
  readonly otherTenants: readonly string[];
}

/** Nothing happens to who is not in the tenant: being invited gives nobody power over a person's account. */
export async function resetUserMfa(tx: Transaction, mail: Outbox, caller: UserPrincipal, userId: string, now: Date): Promise<MfaReset> {
  const { tenantId } = caller;
  await lockTerms(tx, tenantId);
  const before = await findUser(tx, tenantId, userId, now);
  if (before === null) throw new Problem('not_found');
  if (isSelf(caller, before.id)) throw new Problem('cannot_reset_own_mfa');
  assertMayTouch(caller, before.role);
  if (!before.mfaEnabled) return { user: before, removed: false, otherTenants: [] };
  const otherTenants = await otherTenantsOf(tx, tenantId, userId);
  // Whoever administers all tenants must not depend on the administrators of one.
  if (otherTenants.includes(PLATFORM_TENANT_ID)) throw new Problem('role_above_own', { detail: 'They administer the platform, which alone resets the second factors of its staff.' });
  const [settings] = await Promise.all([readSettings(tx, tenantId), resetMfa(tx, userId), endSessionsOfPerson(tx, userId, null, now, 'mfa_changed')]);
  mail.queue(tx, {
    to: { address: before.email, name: before.name === '' ? null : before.name }, locale: localeOf(settings.branding.locale),
    template: 'mfaReset', values: { at: now, administratorName: caller.display },
  });
  return { user: await findUser(tx, tenantId, userId, now) as UserRecord, removed: true, otherTenants };
}
