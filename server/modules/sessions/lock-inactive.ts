/**
 * Periodic job that locks members who have not signed in for the time that their tenant sets. Registered by the index.
 * Audits each lock and makes the credential cache forget the member.
 */
import { appendAudit } from '../../audit/chain.ts';
import { HOUR_SECONDS, type RealTime } from '../../base/time.ts';
import type { Services } from '../../request/services.ts';
import type { Job } from '../../tasks/job.ts';
import { forEachTenant } from '../../tasks/store.ts';
import { readSettings } from '../tenant-settings/index.ts';
import { lockInactive } from './member-sessions.ts';

const ACTOR = {
  type: 'system',
  id: 'users.lock_inactive',
  display: 'Locking of unused accounts',
  impersonatorId: null,
} as const;

/** Locks the members of a tenant who have not signed in for the period of its settings, and returns how many. */
async function lockInactiveMembers(
  { database, credentials }: Pick<Services, 'database' | 'credentials'>,
  tenantId: string,
  now: RealTime,
): Promise<number> {
  const locked = await database.platform({ tenantId }, async (tx) => {
    const { security } = await readSettings(tx, tenantId);
    const { inactivityDays } = security;
    if (inactivityDays === null) return [];
    const userIds = await lockInactive(tx, tenantId, inactivityDays, now);
    for (const id of userIds) {
      appendAudit(tx, {
        occurredAt: now.toISOString(),
        environment: 'live',
        actor: ACTOR,
        action: 'user.locked',
        resource: { type: 'user', id },
        outcome: 'success',
        reason: 'inactive',
      });
    }
    return userIds;
  });
  for (const userId of locked) credentials.forgetUser(userId);
  return locked.length;
}

export const lockInactiveJob: Job<Pick<Services, 'database' | 'log' | 'clock' | 'credentials'>> = {
  name: 'users.lock_inactive',
  everySeconds: HOUR_SECONDS,
  run: ({ services, signal }) =>
    forEachTenant(services.database, signal, ({ id }) => lockInactiveMembers(services, id, services.clock())),
};
