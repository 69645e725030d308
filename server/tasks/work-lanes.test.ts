/** Tests of tasks whose long work runs outside of a transaction, and of their leases. */
import { Registry } from 'prom-client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../test/support/postgres.ts';
import { createLog } from '../base/log.ts';
import { uuidv7 } from '../base/uuid.ts';
import { sql, statement, type Transaction } from '../database/index.ts';
import { roles } from '../database/roles.ts';
import type { JobServices } from './job.ts';
import { cancelTask, enqueueTask, type StepKind, type TaskKind, type WorkContext, type WorkKind } from './task.ts';
import { isUnleased, leaseTask } from './task-store.ts';
import { TaskWorker } from './worker.ts';

type Work = WorkKind<JobServices, string, string>;

let test: TestDatabase;
const working: TaskWorker<JobServices>[] = [];
beforeAll(async () => {
  test = await createTestDatabase();
  await test.sql('CREATE TABLE effect (tenant_id uuid, what text, at timestamptz DEFAULT clock_timestamp())');
  await test.sql(`GRANT INSERT, SELECT ON effect TO ${roles.app}`);
});
afterAll(async () => {
  await Promise.all(working.map((one) => one.stop()));
  await test.close();
});

const affect = statement<{ tenantId: string; what: string }>(
  'test.affectByWork',
  (p) => sql`INSERT INTO effect (tenant_id, what) VALUES (${p.tenantId}, ${p.what})`,
);
const leave = async (tx: Transaction, what: string): Promise<void> => {
  await tx.run(affect, { tenantId: tx.tenantId!, what });
};

/** Returns a kind of work whose input is the id of its subject. */
function workKind(name: string, work: Work['work'], others: Partial<Work> = {}): Work {
  return {
    name,
    claim: async ({ subjectId }) => subjectId,
    work,
    finish: ({ tx }, output) => leave(tx, output),
    giveUp: ({ tx }) => leave(tx, 'given up'),
    ...others,
  };
}

const stepKind: StepKind<JobServices> = {
  name: 'step',
  async step({ tx }) {
    await leave(tx, 'step');
    return null;
  },
  giveUp: async () => {},
};

function worker(kinds: readonly TaskKind<JobServices>[], leaseMilliseconds?: number): TaskWorker<JobServices> {
  const services = { database: test.database, log: createLog('silent'), clock: () => new Date() };
  const made = new TaskWorker(
    services,
    kinds,
    new Registry(),
    leaseMilliseconds === undefined ? {} : { leaseMilliseconds },
  );
  working.push(made);
  return made;
}

const enqueue = (tenantId: string, { name }: { readonly name: string }): Promise<string> =>
  test.database.transaction({ tenantId }, async (tx) => enqueueTask(tx, { name }, uuidv7(), new Date()));
const effects = async (tenantId: string): Promise<string[]> =>
  (await test.sql<{ what: string }>('SELECT what FROM effect WHERE tenant_id = $1 ORDER BY at', [tenantId])).map(
    ({ what }) => what,
  );
const tasksOf = (tenantId: string) =>
  test.sql<{ attempts: number; leased: boolean; wait: number }>(
    `SELECT attempts, lease IS NOT NULL AS leased, round(extract(epoch FROM due_at - now()))::integer AS wait
      FROM task WHERE tenant_id = $1 ORDER BY id`,
    [tenantId],
  );

/** A work that waits until it is let go. `begun` resolves with the context of its first run. */
function gate(output = 'done') {
  const begun = Promise.withResolvers<WorkContext<JobServices>>();
  const open = Promise.withResolvers<string>();
  const work: Work['work'] = (_, context) => {
    begun.resolve(context);
    return open.promise;
  };
  return { work, begun: begun.promise, open: () => open.resolve(output) };
}

describe('work without a transaction', () => {
  it('holds no connection while it goes on, and ends with its effect', async () => {
    const tenantId = await test.tenant();
    const { work, begun, open } = gate();
    await enqueue(tenantId, { name: 'long' });
    const running = worker([workKind('long', work)]).runDue();
    await begun;
    await expect
      .poll(() => test.database.connections())
      .toMatchObject({ waiting: 0, idle: test.database.connections().total });
    expect(await tasksOf(tenantId)).toEqual([{ attempts: 0, leased: true, wait: 30 }]);
    open();
    await running;
    expect([await effects(tenantId), await tasksOf(tenantId)]).toEqual([['done'], []]);
  });

  it('never makes the steps of its own tenant or of others wait', async () => {
    const [tenantId, other] = [await test.tenant(), await test.tenant()];
    const { work, begun, open } = gate();
    const tasks = worker([workKind('long', work), stepKind]);
    await enqueue(tenantId, { name: 'long' });
    const running = tasks.runDue();
    await begun;
    for (const one of [tenantId, other]) await enqueue(one, stepKind);
    const later = tasks.runDue();
    await expect.poll(() => effects(tenantId)).toEqual(['step']);
    await expect.poll(() => effects(other)).toEqual(['step']);
    open();
    await Promise.all([running, later]);
    expect(await effects(tenantId)).toEqual(['step', 'done']);
  });

  it('is done for each tenant one at a time, in turns, however many tasks one of them has', async () => {
    const [many, one] = [await test.tenant(), await test.tenant()];
    const order: string[] = [];
    const active = new Map<string, number>();
    const kind = workKind(
      'turns',
      async (tenantId) => {
        active.set(tenantId, (active.get(tenantId) ?? 0) + 1);
        order.push(`${tenantId} ${active.get(tenantId)}`);
        await new Promise((resolve) => setTimeout(resolve, 20));
        active.set(tenantId, active.get(tenantId)! - 1);
        return 'done';
      },
      { claim: async ({ tx }) => tx.tenantId },
    );
    for (let i = 0; i < 6; i++) await enqueue(many, kind);
    await enqueue(one, kind);
    await Promise.all([worker([kind]).runDue(), worker([kind]).runDue()]);
    await expect.poll(async () => (await tasksOf(many)).length + (await tasksOf(one)).length).toBe(0);
    expect(order.filter((entry) => !entry.endsWith(' 1'))).toEqual([]);
    expect(order.indexOf(`${one} 1`)).toBeLessThan(4);
    expect([(await effects(many)).length, (await effects(one)).length]).toEqual([6, 1]);
  });

  it('ends at once if there is nothing to do any more', async () => {
    const tenantId = await test.tenant();
    const kind = workKind('obsolete', () => Promise.reject(new Error('is not called')), { claim: async () => null });
    await enqueue(tenantId, kind);
    await worker([kind]).runDue();
    expect([await effects(tenantId), await tasksOf(tenantId)]).toEqual([[], []]);
  });
});

describe('the lease of a work', () => {
  it('is given back if the process stops, which costs no attempt, though the work ignores its signal', async () => {
    const tenantId = await test.tenant();
    const { work, begun, open } = gate('late');
    const kind = workKind('stopped', work);
    const stopped = worker([kind]);
    await enqueue(tenantId, kind);
    const running = stopped.runDue();
    const { signal } = await begun;
    await stopped.stop();
    await running;
    expect(signal.aborted).toBe(true);
    expect(await tasksOf(tenantId)).toMatchObject([{ attempts: 0, leased: false }]);
    await worker([workKind('stopped', async () => 'next')]).runDue();
    open();
    expect([await effects(tenantId), await tasksOf(tenantId)]).toEqual([['next'], []]);
  });

  it('leaves the tenants that wait for a lane to the next process, if the process stops', async () => {
    const tenants = [await test.tenant(), await test.tenant(), await test.tenant()];
    const { work, begun, open } = gate('late');
    const kind = workKind('waiting', work);
    const stopped = worker([kind]);
    for (const tenantId of tenants) await enqueue(tenantId, kind);
    const running = stopped.runDue();
    await begun;
    await stopped.stop();
    await running;
    await worker([workKind('waiting', async () => 'next')]).runDue();
    open();
    expect(await Promise.all(tenants.map(effects))).toEqual([['next'], ['next'], ['next']]);
  });

  it('passes to another worker when it ends, and then the first one finishes nothing', async () => {
    const tenantId = await test.tenant();
    const { work, begun, open } = gate('first');
    const kind = workKind('taken over', work);
    await enqueue(tenantId, kind);
    const first = worker([kind]).runDue();
    await begun;
    // As if the first worker had been frozen for longer than its lease.
    await test.sql(`UPDATE task SET due_at = now() - interval '1 second' WHERE tenant_id = $1`, [tenantId]);
    await expect
      .poll(async () => {
        await enqueue(tenantId, stepKind);
        await worker([workKind('taken over', async () => 'second'), stepKind]).runDue();
        return effects(tenantId);
      })
      .toContain('second');
    open();
    await first;
    expect((await effects(tenantId)).filter((what) => what !== 'step')).toEqual(['second']);
  });

  it('is prolonged for as long as the work takes', async () => {
    const tenantId = await test.tenant();
    const { work, begun, open } = gate();
    const kind = workKind('prolonged', work);
    await enqueue(tenantId, kind);
    const running = worker([kind], 300).runDue();
    await begun;
    const [before] = await test.sql<{ at: Date }>('SELECT due_at AS at FROM task WHERE tenant_id = $1', [tenantId]);
    await expect
      .poll(async () => {
        const [now] = await test.sql<{ at: Date }>('SELECT due_at AS at FROM task WHERE tenant_id = $1', [tenantId]);
        return new Date(now!.at).getTime() - new Date(before!.at).getTime();
      })
      .toBeGreaterThan(300);
    open();
    await running;
    expect(await effects(tenantId)).toEqual(['done']);
  });

  it('aborts the work if the task is cancelled meanwhile, and leaves no effect', async () => {
    const tenantId = await test.tenant();
    const { work, begun } = gate();
    const kind = workKind('cancelled', work);
    const id = await enqueue(tenantId, kind);
    const running = worker([kind], 90).runDue();
    const { signal } = await begun;
    expect(await test.database.transaction({ tenantId }, (tx) => cancelTask(tx, id))).toBe(true);
    await running;
    expect([signal.aborted, await effects(tenantId)]).toEqual([true, []]);
  });
});

describe('a work that fails', () => {
  it('to be claimed leaves the lease alone that another worker has taken meanwhile', async () => {
    const tenantId = await test.tenant();
    const id = await enqueue(tenantId, { name: 'claimed' });
    const isFree = () => test.database.transaction({ tenantId }, (tx) => isUnleased(tx, { id }));
    expect(await isFree()).toBe(true);
    const now = new Date();
    const until = new Date(now.getTime() + 1_000);
    await test.database.transaction({ tenantId }, (tx) => leaseTask(tx, ['claimed'], { now, until }));
    expect(await isFree()).toBe(false);
  });

  it.each([
    ['in its work', {}],
    ['in its claim', { claim: () => Promise.reject(new Error('no input')) }],
    ['in its finish', { work: async () => 'x', finish: () => Promise.reject(new Error('no effect')) }],
  ] satisfies [string, Partial<Work>][])(
    '%s is repeated later and later, and given up after eight attempts',
    async (_, others) => {
      const tenantId = await test.tenant();
      const kind = workKind('failing', () => Promise.reject(new Error('no result')), others);
      await enqueue(tenantId, kind);
      const waits: number[] = [];
      for (let attempt = 1; attempt <= 8; attempt++) {
        await test.sql('UPDATE task SET due_at = now() WHERE tenant_id = $1', [tenantId]);
        await enqueue(tenantId, stepKind);
        await worker([kind, stepKind]).runDue();
        waits.push(
          ...(await tasksOf(tenantId)).map(({ wait, attempts, leased }) =>
            attempts === attempt && !leased ? wait : -1,
          ),
        );
      }
      expect(waits).toEqual([2, 4, 8, 16, 32, 64, 128]);
      expect((await effects(tenantId)).filter((what) => what !== 'step')).toEqual(['given up']);
    },
  );
});
