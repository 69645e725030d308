/**
 * Does the work of queued tasks until it is killed: `work-program.ts <location of the database> <root secret>`, the
 * first as JSON.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { Registry } from 'prom-client';
import { createLog } from '../../server/base/log.ts';
import { secretsFrom } from '../../server/base/secrets.ts';
import { connectDatabase, sql, statement } from '../../server/database/index.ts';
import type { DatabaseLocation } from '../../server/database/login.ts';
import type { JobServices } from '../../server/tasks/job.ts';
import type { StepKind, WorkKind } from '../../server/tasks/task.ts';
import { wakeLateTenants } from '../../server/tasks/task-store.ts';
import { TaskWorker } from '../../server/tasks/worker.ts';
import { silent } from '../support/silent.ts';

/** Time after which the lease of a killed process ends. */
const LEASE_MILLISECONDS = 1_000;
const LONGEST_WORK_MILLISECONDS = 200;

const [location, secret] = process.argv.slice(2) as [string, string];
const database = connectDatabase(JSON.parse(location) as DatabaseLocation, secretsFrom(secret), {
  poolSize: 6,
  log: silent,
  stop: async () => {},
});

const affect = statement<{ id: string }>(
  'crash.affectOnce',
  (p) => sql`INSERT INTO effect (id, attempts) SELECT subject_id, attempts FROM task WHERE subject_id = ${p.id}::uuid`,
);

const giveUp = async (): Promise<never> => {
  throw new Error('nothing fails here');
};

const work: WorkKind<JobServices, string, string> = {
  name: 'work',
  claim: async ({ subjectId }) => subjectId,
  async work(id) {
    // The last byte of an id is random.
    await sleep((Number.parseInt(id.slice(-2), 16) / 255) * LONGEST_WORK_MILLISECONDS);
    return id;
  },
  async finish({ tx }, id) {
    await tx.run(affect, { id });
  },
  giveUp,
};

const step: StepKind<JobServices> = {
  name: 'step',
  async step({ tx, subjectId }) {
    await tx.run(affect, { id: subjectId });
    return null;
  },
  giveUp,
};

const services = { database, log: createLog('silent'), clock: () => new Date() };
new TaskWorker(services, [work, step], new Registry(), { leaseMilliseconds: LEASE_MILLISECONDS }).start();
// Runs the periodic work more often than the service: it wakes tenants whose worker was killed.
for (;;) {
  await wakeLateTenants(database, new Date(Date.now() - 100)).catch(() => {});
  await sleep(200);
}
