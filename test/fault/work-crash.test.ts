/** Crash test of tasks with long work outside of transactions, whose processes (work-program.ts) are killed. */
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

const SEED = 20261126;
const SOAK = process.env['SOAK'] === 'true';
const TASKS = SOAK ? 300 : 30;
const KILLS = SOAK ? 40 : 5;
const PROCESSES = 3;
const TENANTS = 4;
/** Steps of another tenant, whose waiting is compared with and without works beside them. */
const STEPS = 60;
const LONGEST_RATIO = 1.5;

let test: TestDatabase;
beforeAll(async () => {
  test = await createTestDatabase();
  await test.sql('CREATE TABLE effect (id uuid, attempts integer, at timestamptz DEFAULT clock_timestamp())');
  await test.sql(`GRANT INSERT ON effect TO ${roles.app}`);
});
afterAll(() => test.close());

const startProcess = (): ChildProcess =>
  fork(join(import.meta.dirname, 'work-program.ts'), [JSON.stringify(test.location), testSecret], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });

async function kill(one: ChildProcess): Promise<void> {
  if (one.exitCode !== null || one.signalCode !== null) return;
  const gone = once(one, 'exit');
  one.kill('SIGKILL');
  await gone;
}

const enqueue = (tenantId: string, kind: string): Promise<string> =>
  test.database.transaction({ tenantId }, async (tx) => {
    const id = uuidv7();
    enqueueTask(tx, { name: kind }, id, new Date());
    return id;
  });

const tasksLeft = async (kind: string): Promise<number> =>
  (await test.sql<{ n: number }>('SELECT count(*)::integer AS n FROM task WHERE kind = $1', [kind]))[0]!.n;

/** Returns the median of the milliseconds that steps of a tenant wait, one after the other. */
async function medianWait(tenantId: string): Promise<number> {
  const waits: number[] = [];
  for (let i = 0; i < STEPS; i++) {
    const id = await enqueue(tenantId, 'step');
    const queuedAt = Date.now();
    let effect: { at: Date } | undefined;
    while (effect === undefined) {
      await sleep(2);
      [effect] = await test.sql<{ at: Date }>('SELECT at FROM effect WHERE id = $1', [id]);
    }
    waits.push(new Date(effect.at).getTime() - queuedAt);
  }
  return waits.sort((a, b) => a - b)[STEPS / 2]!;
}

it(
  `does the work of each of ${TASKS} tasks once although its processes are killed, and counts no attempt for a kill`,
  async () => {
    const random = randomOf(SEED);
    const tenants = await Promise.all(Array.from({ length: TENANTS }, () => test.tenant()));
    const ids = await Promise.all(
      Array.from({ length: TASKS }, (_, index) => enqueue(tenants[index % TENANTS]!, 'work')),
    );
    const processes = Array.from({ length: PROCESSES }, startProcess);
    let kills = 0;
    while ((await tasksLeft('work')) > 0) {
      await sleep(50 + random() * 400);
      if (kills === KILLS) continue;
      await kill(processes.shift()!);
      kills += 1;
      processes.push(startProcess());
    }
    await Promise.all(processes.map(kill));
    const effects = await test.sql<{ id: string; attempts: number }>('SELECT id, attempts FROM effect');
    expect(kills).toBeGreaterThan(2);
    expect(effects.map(({ id }) => id).sort()).toEqual([...ids].sort());
    expect(effects.filter(({ attempts }) => attempts > 0)).toEqual([]);
  },
  60_000 + TASKS * 500,
);

if (SOAK)
  it('delays the steps of other tenants by at most half', {
    timeout: 300_000,
  }, async () => {
    const [own, other] = [await test.tenant(), await test.tenant()];
    const running = startProcess();
    try {
      await medianWait(own);
      const alone = await medianWait(own);
      await Promise.all(Array.from({ length: 400 }, () => enqueue(other, 'work')));
      const beside = await medianWait(own);
      expect(await tasksLeft('work')).toBeGreaterThan(0);
      console.log(`steps waited ${alone} ms alone and ${beside} ms beside works`);
      expect(beside / alone).toBeLessThanOrEqual(LONGEST_RATIO);
    } finally {
      await kill(running);
    }
  });
