import { appendAudit } from '../database/index.ts';
import { lockInactive } from '../groups/auth/index.ts';
import { readSettings } from '../groups/settings/index.ts';
import type { Services } from '../services.ts';

const ACTOR = { type: 'system', id: 'users.lock_inactive', display: 'Locking of unused accounts', impersonatorId: null } as const;

/** Locks the members of a tenant who have not signed in for as long as its settings say; how many. */
export async function lockInactiveMembers({ database, credentials }: Pick<Services, 'database' | 'credentials'>, tenantId: string, now: Date): Promise<number> {
  const locked = await database.platform({ tenantId }, async (tx) => {
    const { security: { inactivityDays } } = await readSettings(tx, tenantId);
    if (inactivityDays === null) return [];
    const userIds = await lockInactive(tx, tenantId, inactivityDays, now);
    for (const id of userIds) {
      appendAudit(tx, {
        occurredAt: now.toISOString(), environment: 'live', actor: ACTOR, action: 'user.locked', resource: { type: 'user', id }, outcome: 'success', reason: 'inactive',
      });
    }
    return userIds;
  });
  for (const userId of locked) credentials.forgetUser(userId);
  return locked.length;
}
