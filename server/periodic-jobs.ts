/**
 * All periodic jobs of the service: those of the layers, one for each due work of a module, and those of modules.
 * Started by server/start.ts. A job that throws is repeated at its next time; two processes never run the same job at
 * once.
 */
import { HOUR_SECONDS, MINUTE_SECONDS } from './base/time.ts';
import { dues, moduleJobs } from './modules.ts';
import type { ScheduledTenant } from './identity/store.ts';
import { deliverMail, discardOldMail } from './providers/mail/index.ts';
import { purgeExpired } from './request/store.ts';
import type { AppServices } from './services.ts';
import { runDue } from './tasks/due.ts';
import type { Job } from './tasks/job.ts';
import { EVERY_STATUS, forEachTenant, forTenants } from './tasks/store.ts';
import { wakeLateTenants } from './tasks/task-store.ts';

/** Time after which a due task counts as left behind by a process that has ended. */
const LATE_MILLISECONDS = 10_000;

/** Periodic jobs of the layers below the modules. */
const ofLayers: readonly Job<AppServices>[] = [
  {
    name: 'mail.deliver',
    everySeconds: 10,
    run: async ({ services: { database, mail, mailer, clock, log }, metrics, signal }) => {
      if (mailer === null) return 0;
      return deliverMail({
        database,
        outbox: mail,
        mailer,
        clock,
        log,
        signal,
        onOutcome: (outcome, template) => metrics.mail(outcome, template),
      });
    },
  },
  {
    name: 'mail.discard',
    everySeconds: HOUR_SECONDS,
    run: ({ services: { database, clock } }) => discardOldMail(database, clock()),
  },
  {
    name: 'idempotency.purge',
    everySeconds: 10 * MINUTE_SECONDS,
    run: ({ services: { database }, signal }) => purgeExpired(database, signal),
  },
  {
    name: 'tasks.wake',
    everySeconds: 10,
    run: ({ services: { database, clock } }) =>
      wakeLateTenants(database, new Date(clock().getTime() - LATE_MILLISECONDS)),
  },
];

/** One job for each time-driven change, which runs for every tenant. */
const ofDues = dues.map(
  (due): Job<AppServices> => ({
    name: due.name,
    everySeconds: due.everySeconds,
    run: async ({ services: { database, clock }, signal }) => {
      const { tenants } = due;
      const work = (tenant: ScheduledTenant) => runDue(database, due, tenant, { now: clock(), signal });
      if (tenants === undefined) return forEachTenant(database, signal, work, due.inEveryStatus && EVERY_STATUS);
      const found = await database.platform({ tenantId: null, readOnly: true }, (tx) => tenants(tx, clock()));
      return forTenants(found, signal, work);
    },
  }),
);

/** All periodic jobs of the service. */
export const jobs: readonly Job<AppServices>[] = [...ofLayers, ...ofDues, ...moduleJobs];
