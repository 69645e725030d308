/**
 * Process that advances instances of workflows until the crash test (workflow-crash.test.ts) kills it.
 * Usage: `workflow-program.ts <location of the database as JSON> <root secret>`
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { Registry } from 'prom-client';
import { createLog } from '../../server/base/log.ts';
import { secretsFrom } from '../../server/base/secrets.ts';
import { connectDatabase } from '../../server/database/index.ts';
import type { DatabaseLocation } from '../../server/database/database-login.ts';
// The tasks of a step, without those that work on applications, whose code takes a second to load.
import { callsTask, returnedTask } from '../../server/modules/workflows/calls.ts';
import { sentTask } from '../../server/modules/workflows/sent.ts';
import { stepTask } from '../../server/modules/workflows/step-task.ts';
import { wakeLateTenants } from '../../server/tasks/task-store.ts';
import { TaskWorker } from '../../server/tasks/worker.ts';
import { silent } from '../support/silent.ts';

/** Lease of a task; after this time another process takes over the tasks of a killed one. */
const LEASE_MILLISECONDS = 2_000;

const [location, secret] = process.argv.slice(2) as [string, string];
const database = connectDatabase(JSON.parse(location) as DatabaseLocation, secretsFrom(secret), {
  poolSize: 6,
  log: silent,
  stop: async () => {},
});
const services = { database, log: createLog('silent'), clock: () => new Date() };
const tasks = [stepTask, callsTask, returnedTask, sentTask];
new TaskWorker(services, tasks, new Registry(), { leaseMilliseconds: LEASE_MILLISECONDS }).start();
// Wakes tenants whose worker was killed, more often than the real service does.
for (;;) {
  await wakeLateTenants(database, new Date(Date.now() - 100)).catch(() => {});
  await sleep(200);
}
