import type { Transaction } from '../../database/index.ts';
import type { Secrets } from '../../secrets.ts';
import { normalEmail } from './email.ts';
import { findMemberEmail } from './store/accounts.ts';
import { unlockMembership } from './store/memberships.ts';
import { clearFailuresOf, showLockedUntil } from './store/throttle.ts';
import { accountKey } from './throttle.ts';

/** Ends both locks of a member at once: the one after wrong passwords and the one after long absence. Platform work in the tenant. */
export async function unlockAccount(tx: Transaction, secrets: Secrets, member: { tenantId: string; userId: string; now: Date }): Promise<void> {
  const email = await findMemberEmail(tx, member.tenantId, member.userId);
  if (email === null) return;
  await Promise.all([
    clearFailuresOf(tx, accountKey(secrets.deriveKey('login-throttle'), normalEmail(email))),
    showLockedUntil(tx, normalEmail(email), null),
    unlockMembership(tx, member.tenantId, member.userId, member.now),
  ]);
}
