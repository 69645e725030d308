import { expireDrafts, sweepFiles } from '../groups/applications/index.ts';
import { checkpointDueTenants } from '../groups/audit/index.ts';
import { purgeCredentials, purgeThrottle } from '../groups/auth/index.ts';
import { checkFeed, purgeFeed, purgeInbox, sampleFeeds } from '../groups/funds-recovery/index.ts';
import { expireKeys } from '../groups/settings/index.ts';
import { purgeExpired } from '../http/idempotency-store.ts';
import { deliverMail, discardOldMail } from '../providers/mail/index.ts';
import type { Job } from './job.ts';
import { lockInactiveMembers } from './lock-inactive.ts';
import { EVERY_STATUS, forEachTenant } from './tenants.ts';

const MINUTE = 60;
const HOUR = 60 * MINUTE;

/** All periodic work of the service. */
export const jobs: readonly Job[] = [
  {
    name: 'mail.deliver',
    everySeconds: 10,
    run: async ({ services: { database, mail, mailer, clock, log }, metrics, signal }) => (mailer === null ? 0
      : deliverMail({ database, outbox: mail, mailer, clock, log, signal, told: (outcome, template) => metrics.mail(outcome, template) })),
  },
  { name: 'mail.discard', everySeconds: HOUR, run: ({ services: { database, clock } }) => discardOldMail(database, clock()) },
  { name: 'files.sweep', everySeconds: HOUR, run: ({ services: { database, files, clock } }) => sweepFiles(database, files, clock()) },
  { name: 'idempotency.purge', everySeconds: 10 * MINUTE, run: ({ services: { database }, signal }) => purgeExpired(database, signal) },
  { name: 'throttle.purge', everySeconds: HOUR, run: ({ services: { database, clock } }) => purgeThrottle(database, clock()) },
  { name: 'credentials.purge', everySeconds: HOUR, run: ({ services: { database, clock } }) => purgeCredentials(database, clock()) },
  {
    name: 'users.lock_inactive',
    everySeconds: HOUR,
    run: ({ services, signal }) => forEachTenant(services.database, signal, ({ id }) => lockInactiveMembers(services, id, services.clock())),
  },
  {
    name: 'applications.expire',
    everySeconds: 5 * MINUTE,
    run: ({ services: { database, clock }, signal }) => forEachTenant(database, signal, (tenant) => expireDrafts(database, tenant, clock(), signal)),
  },
  {
    name: 'keys.expire',
    everySeconds: 5 * MINUTE,
    run: ({ services: { database, clock }, signal }) => forEachTenant(database, signal, ({ id }) => expireKeys(database, id, clock(), signal)),
  },
  {
    name: 'feed.purge',
    everySeconds: HOUR,
    run: ({ services: { database }, signal }) => forEachTenant(database, signal, ({ id }) => purgeFeed(database, id, signal), EVERY_STATUS),
  },
  {
    name: 'feed.check',
    everySeconds: HOUR,
    run: ({ services: { database, feedAlarm }, signal }) => forEachTenant(database, signal, ({ id }) => checkFeed(database, id, feedAlarm)),
  },
  {
    name: 'feed.sample',
    everySeconds: MINUTE,
    run: ({ services: { database, feedAlarm, clock }, signal }) => sampleFeeds(database, feedAlarm, clock(), (work) => forEachTenant(database, signal, work)),
  },
  {
    name: 'inbox.purge',
    everySeconds: HOUR,
    run: ({ services: { database, clock }, signal }) => forEachTenant(database, signal, (tenant) => purgeInbox(database, tenant, clock(), signal), EVERY_STATUS),
  },
  { name: 'audit.checkpoint', everySeconds: MINUTE, run: ({ services, signal }) => checkpointDueTenants(services, signal) },
];
