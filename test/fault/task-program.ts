/**
 * Process of the crash test (tasks-crash.test.ts); queues tasks and runs them until the test kills it.
 * Usage: `task-program.ts <location of the database as JSON> <root secret> <tenants as JSON>`
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { Registry } from 'prom-client';
import { createLog } from '../../server/base/log.ts';
import { secretsFrom } from '../../server/base/secrets.ts';
import { uuidv7 } from '../../server/base/uuid.ts';
import { connectDatabase, sql, statement } from '../../server/database/index.ts';
import type { DatabaseLocation } from '../../server/database/database-login.ts';
import type { JobServices } from '../../server/tasks/job.ts';
import { enqueueTask, type TaskKind } from '../../server/tasks/task.ts';
import { wakeLateTenants } from '../../server/tasks/task-store.ts';
import { TaskWorker } from '../../server/tasks/worker.ts';
import { silent } from '../support/silent.ts';

const [location, secret, tenants] = process.argv.slice(2) as [string, string, string];
const database = connectDatabase(JSON.parse(location) as DatabaseLocation, secretsFrom(secret), {
  poolSize: 4,
  log: silent,
  stop: async () => {},
});

const cause = statement<{ id: string }>('crash.cause', (p) => sql`INSERT INTO cause VALUES (${p.id}::uuid)`);
const affect = statement<{ id: string }, { step: number }>(
  'crash.affect',
  (p) => sql`
  INSERT INTO effect SELECT ${p.id}::uuid, count(*) + 1 FROM effect WHERE cause = ${p.id}::uuid RETURNING step`,
);

/** A task of two steps, each with its effect; the pauses leave time to be killed before and after it. */
const kind: TaskKind<JobServices> = {
  name: 'crash',
  async step({ tx, subjectId }) {
    await sleep(2);
    const [row] = await tx.run(affect, { id: subjectId });
    await sleep(2);
    return row?.step === 2 ? null : 0;
  },
  giveUp: async () => {
    throw new Error('giveUp must not be called: no task of this test fails');
  },
};

async function makeTasks(tenantId: string): Promise<never> {
  for (;;) {
    await database.transaction({ tenantId }, async (tx) => {
      const id = uuidv7();
      void tx.run(cause, { id });
      enqueueTask(tx, kind, id, new Date());
      await sleep(2);
    });
    await sleep(5);
  }
}

new TaskWorker({ database, log: createLog('silent'), clock: () => new Date() }, [kind], new Registry()).start();
// The table rejects further tasks once there are enough.
for (const tenantId of JSON.parse(tenants) as string[]) void makeTasks(tenantId).catch(() => {});
// Runs the periodic work more often than the service: it wakes tenants whose worker was killed.
for (;;) {
  await wakeLateTenants(database, new Date(Date.now() - 100)).catch(() => {});
  await sleep(200);
}
