import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { uuidv7 } from '../../server/base/uuid.ts';
import { roles } from '../../server/database/roles.ts';
import { enqueueTask } from '../../server/tasks/task.ts';
import { createTestDatabase, type TestDatabase, testSecret } from '../support/postgres.ts';
import { randomOf } from '../support/random.ts';

const SEED = 20261123;
const TASKS = process.env['SOAK'] === 'true' ? 500 : 40;
/** Each is a process that is killed when it has done about this many. */
const EACH = TASKS / 8;
const TENANTS = 4;

let test: TestDatabase;
beforeAll(async () => {
  test = await createTestDatabase();
  await test.sql('CREATE TABLE effect (tenant_id uuid, subject_id uuid, step integer)');
  await test.sql(`GRANT INSERT, SELECT ON effect TO ${roles.app}`);
});
afterAll(() => test.close());

const count = async (table: 'effect' | 'task'): Promise<number> => (await test.sql<{ n: number }>(`SELECT count(*)::integer AS n FROM ${table}`))[0]!.n;

function startWorker(): ChildProcess {
  return fork(join(import.meta.dirname, 'task-program.ts'), [JSON.stringify(test.location), testSecret], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
}

it(`does each of ${TASKS} tasks exactly once when the workers of two processes are killed in the middle of them`, async () => {
  const random = randomOf(SEED);
  const subjects: string[] = [];
  for (let tenant = 0; tenant < TENANTS; tenant += 1) {
    const tenantId = await test.tenant();
    await test.database.transaction({ tenantId }, async (tx) => {
      for (let n = 0; n < TASKS / TENANTS; n += 1) {
        subjects.push(uuidv7());
        enqueueTask(tx, { name: 'crash' }, subjects.at(-1)!, new Date());
      }
    });
  }
  const workers = [startWorker(), startWorker()];
  let kills = 0;
  for (let done = 0; await count('task') > 0; await sleep(10)) {
    const now = await count('effect');
    if (now - done < EACH * random() * 2 || kills === 6) continue;
    done = now;
    const killed = workers.shift()!;
    const gone = once(killed, 'exit');
    killed.kill('SIGKILL');
    await gone;
    kills += 1;
    workers.push(startWorker());
  }
  for (const worker of workers) worker.kill('SIGKILL');
  await Promise.all(workers.map((worker) => worker.exitCode ?? worker.signalCode ?? once(worker, 'exit')));
  expect(kills).toBeGreaterThan(2);
  const effects = await test.sql<{ subject: string; steps: string }>(`SELECT subject_id AS subject, string_agg(step::text, ',' ORDER BY step) AS steps FROM effect GROUP BY 1`);
  expect(effects.filter(({ steps }) => steps !== '1,2')).toEqual([]);
  expect(effects.map(({ subject }) => subject).sort()).toEqual(subjects.sort());
}, 30_000 + TASKS * 200);
