import type { Transaction } from '../../database/index.ts';
import { lockIdleMembers } from './store/memberships.ts';
import { endSessions } from './store/sessions.ts';

const DAY = 86_400_000;

/** Locks who has not signed in for so many days; their ids. Platform work in the tenant. */
export async function lockInactive(tx: Transaction, tenantId: string, days: number, now: Date): Promise<string[]> {
  const locked = await lockIdleMembers(tx, tenantId, new Date(now.getTime() - days * DAY), now);
  await Promise.all(locked.map((userId) => endSessions(tx, { tenantId, userId, reason: 'deactivated', now })));
  return locked;
}
