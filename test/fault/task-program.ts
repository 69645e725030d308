/** A process that does tasks until it is killed: `task-program.ts <location of the database, as JSON> <root secret>`. */
import { setTimeout as sleep } from 'node:timers/promises';
import { Registry } from 'prom-client';
import { createLog } from '../../server/base/log.ts';
import { secretsFrom } from '../../server/base/secrets.ts';
import { connectDatabase, sql, statement } from '../../server/database/index.ts';
import type { DatabaseLocation } from '../../server/database/login.ts';
import type { JobServices } from '../../server/tasks/job.ts';
import type { TaskKind } from '../../server/tasks/task.ts';
import { wakeLateTenants } from '../../server/tasks/task-store.ts';
import { TaskWorker } from '../../server/tasks/worker.ts';
import { silent } from '../support/silent.ts';

const database = connectDatabase(JSON.parse(process.argv[2]!) as DatabaseLocation, secretsFrom(process.argv[3]!), { poolSize: 4, log: silent, stop: async () => {} });

const affect = statement<{ tenantId: string; subjectId: string }, { step: number }>('crash.affect', (p) => sql`
  INSERT INTO effect SELECT ${p.tenantId}::uuid, ${p.subjectId}::uuid, count(*) + 1 FROM effect WHERE subject_id = ${p.subjectId}::uuid RETURNING step`);

/** Two steps, each with its effect; the pauses leave time to be killed before and after it. */
const kind: TaskKind<JobServices> = {
  name: 'crash',
  async step({ tx, subjectId }) {
    await sleep(2);
    const [row] = await tx.run(affect, { tenantId: tx.tenantId!, subjectId });
    await sleep(2);
    return row?.step === 2 ? null : 0;
  },
  giveUp: async () => { throw new Error('nothing fails here'); },
};

new TaskWorker({ database, log: createLog('silent'), clock: () => new Date() }, [kind], new Registry()).start();
// Periodic work, only more often: it wakes tenants whose worker was killed.
for (;;) {
  await wakeLateTenants(database, new Date(Date.now() - 100)).catch(() => {});
  await sleep(200);
}
