/** Crash test of the task queue: each task runs exactly once although its processes (task-program.ts) are killed. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { roles } from '../../server/database/roles.ts';
import { createTestDatabase, type TestDatabase, testSecret } from '../support/postgres.ts';
import { randomOf } from '../support/random.ts';

const SEED = 20261123;
const TASKS = process.env['SOAK'] === 'true' ? 500 : 40;
const KILLS = 6;

let test: TestDatabase;
let tenants: string;
beforeAll(async () => {
  test = await createTestDatabase();
  tenants = JSON.stringify(await Promise.all(Array.from({ length: 4 }, () => test.tenant())));
  await test.sql('CREATE TABLE cause (id uuid PRIMARY KEY); CREATE TABLE effect (cause uuid, step integer)');
  await test.sql(
    `CREATE FUNCTION stop() RETURNS trigger
      LANGUAGE plpgsql
      AS 'BEGIN IF (SELECT count(*) FROM cause) >= ${TASKS} THEN RAISE EXCEPTION ''enough''; END IF; RETURN NEW; END'`,
  );
  await test.sql('CREATE TRIGGER stop BEFORE INSERT ON cause FOR EACH ROW EXECUTE FUNCTION stop()');
  await test.sql(
    `GRANT INSERT, SELECT ON cause, effect TO ${roles.app}; GRANT EXECUTE ON FUNCTION stop() TO ${roles.app}`,
  );
});
afterAll(() => test.close());

const startProcess = (): ChildProcess =>
  fork(join(import.meta.dirname, 'task-program.ts'), [JSON.stringify(test.location), testSecret, tenants], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });

const counts = async (): Promise<{ causes: number; effects: number; tasks: number }> =>
  (
    await test.sql<{ causes: number; effects: number; tasks: number }>(
      `SELECT (SELECT count(*) FROM cause)::integer AS causes, (SELECT count(*)
        FROM effect)::integer AS effects, (SELECT count(*) FROM task)::integer AS tasks`,
    )
  )[0]!;

it(
  `runs each of ${TASKS} tasks exactly once although the processes that create and run them are killed`,
  async () => {
    const random = randomOf(SEED);
    const processes = [startProcess(), startProcess()];
    let kills = 0;
    let nextKill = 0;
    for (let now = await counts(); now.causes < TASKS || now.tasks > 0; now = await counts()) {
      await sleep(10);
      if (now.effects <= nextKill || kills === KILLS) continue;
      // A task has two effects, and some must be left when the last process is killed.
      nextKill = now.effects + (random() * 2 * TASKS) / KILLS;
      const killed = processes.shift()!;
      const gone = once(killed, 'exit');
      killed.kill('SIGKILL');
      await gone;
      kills += 1;
      processes.push(startProcess());
    }
    for (const one of processes) one.kill('SIGKILL');
    await Promise.all(processes.map((one) => one.exitCode ?? one.signalCode ?? once(one, 'exit')));
    expect(kills).toBeGreaterThan(2);
    const causes = await test.sql<{ id: string; steps: string | null }>(
      `SELECT id, string_agg(step::text, ',' ORDER BY step) AS steps FROM cause FULL JOIN effect ON cause = id
        GROUP BY id`,
    );
    expect(causes.filter(({ id, steps }) => id === null || steps !== '1,2')).toEqual([]);
    expect(causes.length).toBeGreaterThanOrEqual(TASKS);
  },
  30_000 + TASKS * 200,
);
