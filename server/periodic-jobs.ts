import { appendAudit } from './audit/chain.ts';
import { HOUR_SECONDS, MINUTE_SECONDS } from './base/time.ts';
import { expireKeys } from './modules/api-keys/index.ts';
import { sealApplicants } from './modules/applications/index.ts';
import { checkpointDueTenants } from './modules/audit-log/index.ts';
import { sealFiles, sweepFiles } from './modules/documents/index.ts';
import { dues } from './modules/dues/index.ts';
import { followLists, tellOfAlerts } from './modules/monitoring/index.ts';
import { checkFeed, checkFeedMarker, sampleFeeds } from './modules/recovery-feed/index.ts';
import { purgeFeed, purgeInbox } from './modules/recovery-retention/index.ts';
import { lockInactive } from './modules/sessions/index.ts';
import { purgeCredentials, purgeThrottle } from './modules/sign-in/index.ts';
import { readSettings } from './modules/tenant-settings/index.ts';
import { deliverMail, discardOldMail } from './providers/mail/index.ts';
import { purgeExpired } from './request/store.ts';
import type { AppServices } from './services.ts';
import { runDue } from './tasks/due.ts';
import type { Job } from './tasks/job.ts';
import { EVERY_STATUS, forEachTenant } from './tasks/store.ts';
import { wakeLateTenants } from './tasks/task-store.ts';

const ACTOR = { type: 'system', id: 'users.lock_inactive', display: 'Locking of unused accounts', impersonatorId: null } as const;

/** Locks the members of a tenant who have not signed in for as long as its settings say; how many. */
async function lockInactiveMembers({ database, credentials }: Pick<AppServices, 'database' | 'credentials'>, tenantId: string, now: Date): Promise<number> {
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

/** A task that is due for so long was left behind by a process that ended. */
const LATE_MILLISECONDS = 10_000;

/** All periodic work of the service. */
export const jobs: readonly Job<AppServices>[] = [
  {
    name: 'mail.deliver',
    everySeconds: 10,
    run: async ({ services: { database, mail, mailer, clock, log }, metrics, signal }) => (mailer === null ? 0
      : deliverMail({ database, outbox: mail, mailer, clock, log, signal, onOutcome: (outcome, template) => metrics.mail(outcome, template) })),
  },
  { name: 'mail.discard', everySeconds: HOUR_SECONDS, run: ({ services: { database, clock } }) => discardOldMail(database, clock()) },
  { name: 'files.sweep', everySeconds: HOUR_SECONDS, run: ({ services: { database, files, clock } }) => sweepFiles(database, files, clock()) },
  {
    name: 'files.seal',
    everySeconds: HOUR_SECONDS,
    run: ({ services: { database, files, clock }, signal }) => forEachTenant(database, signal, ({ id: tenantId }) => sealFiles(database, files, { tenantId, now: clock(), signal }), EVERY_STATUS),
  },
  {
    name: 'applications.seal',
    everySeconds: HOUR_SECONDS,
    run: ({ services: { database, clock }, signal }) => forEachTenant(database, signal, ({ id: tenantId }) => sealApplicants(database, { tenantId, now: clock(), signal }), EVERY_STATUS),
  },
  { name: 'idempotency.purge', everySeconds: 10 * MINUTE_SECONDS, run: ({ services: { database }, signal }) => purgeExpired(database, signal) },
  { name: 'throttle.purge', everySeconds: HOUR_SECONDS, run: ({ services: { database, clock } }) => purgeThrottle(database, clock()) },
  { name: 'credentials.purge', everySeconds: HOUR_SECONDS, run: ({ services: { database, clock } }) => purgeCredentials(database, clock()) },
  {
    name: 'users.lock_inactive',
    everySeconds: HOUR_SECONDS,
    run: ({ services, signal }) => forEachTenant(services.database, signal, ({ id }) => lockInactiveMembers(services, id, services.clock())),
  },
  ...dues.map((due): Job<AppServices> => ({
    name: due.name,
    everySeconds: due.everySeconds,
    run: ({ services: { database, clock }, signal }) => forEachTenant(database, signal, (tenant) => runDue(database, due, tenant, clock(), signal), due.inEveryStatus && EVERY_STATUS),
  })),
  {
    name: 'keys.expire',
    everySeconds: 5 * MINUTE_SECONDS,
    run: ({ services: { database, clock }, signal }) => forEachTenant(database, signal, ({ id }) => expireKeys(database, id, clock(), signal)),
  },
  {
    name: 'feed.purge',
    everySeconds: HOUR_SECONDS,
    run: ({ services: { database }, signal }) => forEachTenant(database, signal, ({ id }) => purgeFeed(database, id, signal), EVERY_STATUS),
  },
  {
    name: 'feed.check',
    everySeconds: HOUR_SECONDS,
    run: ({ services: { database, feedAlarm }, signal }) => forEachTenant(database, signal, ({ id }) => checkFeed(database, id, feedAlarm)),
  },
  { name: 'lists.fetch', everySeconds: MINUTE_SECONDS, run: ({ services: { listFetcher, clock }, signal }) => listFetcher.fetchDue(clock(), signal) },
  { name: 'lists.check', everySeconds: 10 * MINUTE_SECONDS, run: ({ services: { database, listAlarm, clock } }) => listAlarm.check(database, clock()) },
  {
    name: 'monitoring.tell',
    everySeconds: MINUTE_SECONDS,
    run: ({ services, signal }) => forEachTenant(services.database, signal, ({ id }) => tellOfAlerts(services, id)),
  },
  { name: 'monitoring.check', everySeconds: 10 * MINUTE_SECONDS, run: ({ services: { database, monitoringAlarm }, signal }) => monitoringAlarm.check(database, signal) },
  { name: 'monitoring.lists', everySeconds: 5, run: ({ services, signal }) => followLists(services, signal) },
  {
    name: 'feed.sample',
    everySeconds: MINUTE_SECONDS,
    run: ({ services: { database, feedAlarm, clock }, signal }) => sampleFeeds(database, feedAlarm, clock(), (work) => forEachTenant(database, signal, work)),
  },
  {
    name: 'feed.marker',
    everySeconds: 10,
    run: ({ services: { database, log, config: { dataDir } }, signal }) => checkFeedMarker({ database, log, dataDir }, signal),
  },
  {
    name: 'inbox.purge',
    everySeconds: HOUR_SECONDS,
    run: ({ services: { database, clock }, signal }) => forEachTenant(database, signal, (tenant) => purgeInbox(database, tenant, clock(), signal), EVERY_STATUS),
  },
  {
    name: 'tasks.wake',
    everySeconds: 10,
    run: ({ services: { database, clock } }) => wakeLateTenants(database, new Date(clock().getTime() - LATE_MILLISECONDS)),
  },
  { name: 'audit.checkpoint', everySeconds: MINUTE_SECONDS, run: ({ services, signal }) => checkpointDueTenants(services, signal) },
];
