/**
 * Process of the service that advances instances of workflows until the crash test (workflow-crash.test.ts) kills it.
 * Usage: `workflow-program.ts <location of the database as JSON> <root secret>`
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { Registry } from 'prom-client';
import { createLog } from '../../server/base/log.ts';
import { secretsFrom } from '../../server/base/secrets.ts';
import type { DatabaseLocation } from '../../server/database/database-login.ts';
import { connectDatabase } from '../../server/database/index.ts';
import { workflowsModule } from '../../server/modules/workflows/index.ts';
import type { JobServices } from '../../server/tasks/job.ts';
import type { TaskKind } from '../../server/tasks/task.ts';
import { wakeLateTenants } from '../../server/tasks/task-store.ts';
import { TaskWorker } from '../../server/tasks/worker.ts';
import { silent } from '../support/silent.ts';

/** Lease of a task; after this time another process takes over the tasks of a killed one. */
const LEASE_MILLISECONDS = 2_000;

const [location, secret] = process.argv.slice(2) as [string, string];
const secrets = secretsFrom(secret);
const database = connectDatabase(JSON.parse(location) as DatabaseLocation, secrets, {
  poolSize: 6,
  log: silent,
  stop: async () => {},
});

// The processes of the test need none of the services that work on applications asks for.
const services = { database, log: createLog('silent'), clock: () => new Date(), secrets };
const tasks = workflowsModule.tasks as unknown as readonly TaskKind<JobServices>[];
new TaskWorker(services, tasks, new Registry(), { leaseMilliseconds: LEASE_MILLISECONDS }).start();
// Wakes tenants whose worker was killed, more often than the real service does.
for (;;) {
  await wakeLateTenants(database, new Date(Date.now() - 100)).catch(() => {});
  await sleep(200);
}
