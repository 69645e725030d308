/**
 * Worker process of the crash test (work-crash.test.ts); runs queued tasks until the test kills it.
 * Usage: `work-program.ts <location of the database as JSON> <root secret>`
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { Registry } from 'prom-client';
import { createLog } from '../../server/base/log.ts';
import { secretsFrom } from '../../server/base/secrets.ts';
import { connectDatabase, sql, statement } from '../../server/database/index.ts';
import type { DatabaseLocation } from '../../server/database/database-login.ts';
import type { JobServices } from '../../server/tasks/job.ts';
import type { StepKind, WorkKind } from '../../server/tasks/task.ts';
import { wakeLateTenants } from '../../server/tasks/task-store.ts';
import { TaskWorker } from '../../server/tasks/worker.ts';
import { silent } from '../support/silent.ts';

/** Lease of a task; after this time another process takes over the tasks of a killed one. */
const LEASE_MILLISECONDS = 1_000;
const MAX_WORK_MILLISECONDS = 200;

const [location, secret] = process.argv.slice(2) as [string, string];
const database = connectDatabase(JSON.parse(location) as DatabaseLocation, secretsFrom(secret), {
  poolSize: 6,
  log: silent,
  stop: async () => {},
});

const insertEffect = statement<{ id: string }>(
  'crash.affectOnce',
  (p) => sql`INSERT INTO effect (id, attempts) SELECT subject_id, attempts FROM task WHERE subject_id = ${p.id}::uuid`,
);

/** Must not be called: no task of this test fails. */
const giveUp = async (): Promise<never> => {
  throw new Error('giveUp must not be called: no task of this test fails');
};

const work: WorkKind<JobServices, string, string> = {
  name: 'work',
  claim: async ({ subjectId }) => subjectId,
  async work(id) {
    // Duration from 0 to the maximum, taken from the random last byte of the id.
    await sleep((Number.parseInt(id.slice(-2), 16) / 255) * MAX_WORK_MILLISECONDS);
    return id;
  },
  async finish({ tx }, id) {
    await tx.run(insertEffect, { id });
  },
  giveUp,
};

const step: StepKind<JobServices> = {
  name: 'step',
  async step({ tx, subjectId }) {
    await tx.run(insertEffect, { id: subjectId });
    return null;
  },
  giveUp,
};

const services = { database, log: createLog('silent'), clock: () => new Date() };
new TaskWorker(services, [work, step], new Registry(), { leaseMilliseconds: LEASE_MILLISECONDS }).start();
// Wakes tenants whose worker was killed, more often than the real service does.
for (;;) {
  await wakeLateTenants(database, new Date(Date.now() - 100)).catch(() => {});
  await sleep(200);
}
