/** Tests of the worker that runs queued tasks. */
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { appendAudit } from '../audit/chain.ts';
import { uuidv7 } from '../base/uuid.ts';
import { sql } from '../database/index.ts';
import { cancelTask, enqueueTask, enqueueTaskOnce } from './task.ts';
import { wakeLateTenants } from './task-store.ts';
import { kind, leave, once, taskSite } from './testing/task-site.ts';

const site = taskSite();
const { effects, enqueue, entriesOf, tasksOf, worker } = site;

describe('a task', () => {
  it('exists if and only if its transaction commits, and is run once', async () => {
    const tenantId = await site.test.tenant();
    await enqueue(tenantId, once);
    await expect(
      site.test.database.transaction({ tenantId }, async (tx) => {
        enqueueTask(tx, once, uuidv7(), new Date());
        throw new Error('changed my mind');
      }),
    ).rejects.toThrow('changed my mind');
    await Promise.all([worker(once).runDue(), worker(once).runDue()]);
    expect(await effects(tenantId)).toEqual(['done']);
    expect(await tasksOf(tenantId)).toEqual([]);
    // A remaining queue entry finds no task when it is processed again, and is removed.
    await expect
      .poll(
        async () => {
          await worker(once).runDue();
          return entriesOf(tenantId);
        },
        { interval: 500 },
      )
      .toEqual([]);
    expect(await effects(tenantId)).toEqual(['done']);
  });

  it('is queued again while an equal one ends, which may have read what was there before', async () => {
    const [tenantId, subjectId] = [await site.test.tenant(), uuidv7()];
    const queueOnce = (): Promise<void> =>
      site.test.database.transaction({ tenantId }, (tx) => enqueueTaskOnce(tx, late, subjectId, new Date()));
    let runs = 0;
    const late = kind('late', async ({ tx }) => {
      runs += 1;
      if (runs === 1) await queueOnce();
      await leave(tx, subjectId, 'done');
      return null;
    });
    await queueOnce();
    await queueOnce();
    expect(await tasksOf(tenantId)).toHaveLength(1);
    await worker(late).runDue();
    expect(await effects(tenantId)).toEqual(['done', 'done']);
    expect(await tasksOf(tenantId)).toEqual([]);
  });

  it('can be queued before or after audit events without a deadlock', async () => {
    const tenantId = await site.test.tenant();
    const event = {
      occurredAt: new Date().toISOString(),
      environment: 'live',
      action: 'settings.updated',
      outcome: 'success',
      actor: {
        type: 'system',
        id: null,
        display: 'test',
        impersonatorId: null,
      },
      resource: { type: 'settings', id: null },
    } as const;
    await Promise.all(
      Array.from({ length: 40 }, (_, n) =>
        site.test.database.transaction({ tenantId }, async (tx) => {
          if (n % 2 === 0) appendAudit(tx, event);
          enqueueTask(tx, once, uuidv7(), new Date());
          if (n % 2 === 1) appendAudit(tx, event);
        }),
      ),
    );
    await worker(once).runDue();
    expect(await effects(tenantId)).toHaveLength(40);
  });

  it('is run in steps, between which another task of its tenant can run', async () => {
    const tenantId = await site.test.tenant();
    const long = kind('long', async ({ tx, subjectId }) => {
      await leave(tx, subjectId, 'a step');
      return (await effects(tenantId)).length < 3 ? 0 : null;
    });
    await enqueue(tenantId, long);
    await enqueue(tenantId, once);
    await worker(long, once).runDue();
    expect(await effects(tenantId)).toEqual(['a step', 'done', 'a step', 'a step']);
    for (const line of [
      'kind="long",outcome="continued"} 2',
      'kind="long",outcome="done"} 1',
      'kind="once",outcome="done"} 1',
    ])
      expect(await site.registry.metrics()).toContain(`task_steps_total{${line}`);
  });

  it('that fails leaves no effect, is retried with growing delays, and is finally given up', async () => {
    const tenantId = await site.test.tenant();
    const failing = kind('failing', async ({ tx, subjectId }) => {
      await leave(tx, subjectId, 'undone');
      throw new Error('not today');
    });
    await enqueue(tenantId, failing);
    const waits: number[] = [];
    for (let attempt = 1; attempt < 8; attempt += 1) {
      await worker(failing).runDue();
      // A task that is due later has a queue entry of its own; the clock of the test is ahead of the database's.
      const [found] = await tasksOf(tenantId);
      expect(found?.attempts).toBe(attempt);
      waits.push(found!.wait - Math.round(site.ahead / 1000));
      site.ahead += found!.wait * 1000 - site.ahead + 1000;
      await wakeLateTenants(site.test.database, new Date(Date.now() + site.ahead));
    }
    expect(waits.map((wait, index) => Math.abs(wait - 2 ** (index + 1)) <= 2)).toEqual(waits.map(() => true));
    await worker(failing).runDue();
    expect(await effects(tenantId)).toEqual(['given up']);
    expect(await tasksOf(tenantId)).toEqual([]);
    expect(site.lines.filter((line) => line.includes('will be tried again'))).toHaveLength(7);
    expect(site.lines.at(-1)).toContain('for the last time');
  });

  it('waits for an unavailable database without counting a failure', async () => {
    const tenantId = await site.test.tenant();
    await enqueue(tenantId, once);
    await worker(
      kind('once', async ({ tx }) => {
        await tx.query(sql`SELECT pg_terminate_backend(pg_backend_pid())`);
        return null;
      }),
    ).runDue();
    expect(await tasksOf(tenantId)).toMatchObject([{ attempts: 0 }]);
    await site.test.sql(`UPDATE graphile_worker._private_jobs SET run_at = now() WHERE payload ->> 'tenantId' = $1`, [
      tenantId,
    ]);
    await worker(once).runDue();
    expect(await effects(tenantId)).toEqual(['done']);
  });

  it('can be cancelled until it is done', async () => {
    const tenantId = await site.test.tenant();
    const id = await enqueue(tenantId, once);
    const cancel = () => site.test.database.transaction({ tenantId }, (tx) => cancelTask(tx, id));
    expect(
      await site.test.database.transaction({ tenantId: await site.test.tenant() }, (tx) => cancelTask(tx, id)),
    ).toBe(false);
    expect(await cancel()).toBe(true);
    expect(await cancel()).toBe(false);
    await worker(once).runDue();
    expect(await effects(tenantId)).toEqual([]);
  });

  it('of an unknown kind is left to a process that knows the kind', async () => {
    const tenantId = await site.test.tenant();
    await enqueue(tenantId, kind('later', once.step));
    await enqueue(tenantId, once);
    await worker(once).runDue();
    expect(await effects(tenantId)).toEqual(['done']);
    expect(await tasksOf(tenantId)).toMatchObject([{ attempts: 0 }]);
    expect(await entriesOf(tenantId)).toEqual([]);
    await site.test.sql('DELETE FROM task WHERE tenant_id = $1', [tenantId]);
  });
});

describe('the worker', () => {
  it('learns of a task at once, works for one tenant at a time, and stops when the running step is done', async () => {
    const tenantId = await site.test.tenant();
    let [now, most] = [0, 0];
    const started = Promise.withResolvers<void>();
    const slow = kind('slow', async ({ tx, subjectId }) => {
      most = Math.max(most, ++now);
      started.resolve();
      await sleep(30);
      now -= 1;
      await leave(tx, subjectId, 'done');
      return null;
    });
    const workers = [worker(slow), worker(slow)];
    for (const one of workers) one.start();
    await Promise.all([enqueue(tenantId, slow), enqueue(tenantId, slow), enqueue(tenantId, slow)]);
    await started.promise;
    await Promise.all(workers.map((one) => one.stop()));
    const [done, left] = [(await effects(tenantId)).length, (await tasksOf(tenantId)).length];
    expect([most, now, done + left]).toEqual([1, 0, 3]);
    expect(done).toBeGreaterThan(0);
    await worker(slow).runDue();
    await wakeLateTenants(site.test.database, new Date());
    await worker(slow).runDue();
    expect(await effects(tenantId)).toEqual(['done', 'done', 'done']);
  });

  it('serves each tenant in turn, even if others have ten thousand tasks', async () => {
    const [patient, ...busy] = (await Promise.all(Array.from({ length: 4 }, () => site.test.tenant()))) as [
      string,
      ...string[],
    ];
    const brief = kind('brief', async ({ tx, subjectId }) => {
      await sleep(10);
      await leave(tx, subjectId, 'done');
      return null;
    });
    for (const tenantId of busy) {
      await site.test.sql(
        `INSERT INTO task (tenant_id, id, kind, subject_id, due_at, created_at)
          SELECT $1, gen_random_uuid(), 'brief', gen_random_uuid(), now(), now() FROM generate_series(1, 10000)`,
        [tenantId],
      );
      await enqueue(tenantId, brief);
    }
    const one = worker(brief);
    one.start();
    while ((await effects(busy.at(-1)!)).length === 0) await sleep(5);
    const [{ queuedAt }] = (await site.test.sql<{ queuedAt: string }>(
      'SELECT clock_timestamp()::text AS "queuedAt"',
    )) as [{ queuedAt: string }];
    await enqueue(patient, brief);
    while ((await effects(patient)).length === 0) await sleep(5);
    await one.stop();
    const [waited] = await site.test.sql<{ tasks: number; milliseconds: number }>(
      `
      SELECT (SELECT count(*)::integer FROM effect WHERE tenant_id <> $1 AND at BETWEEN $2::timestamptz AND own.at)
        AS tasks, extract(milliseconds FROM own.at - $2::timestamptz)::integer AS milliseconds
      FROM effect own WHERE tenant_id = $1`,
      [patient, queuedAt],
    );
    console.log(
      `three tenants have ten thousand tasks each; the fourth waited ${waited?.milliseconds} ms, while ` +
        `${waited?.tasks} tasks of the others were done`,
    );
    // A slice consists of at most ten of these tasks: those of both slots, and those of the tenants that were queued
    // before.
    expect(waited?.tasks).toBeLessThan(60);
    for (const tenantId of busy) await site.test.sql('DELETE FROM task WHERE tenant_id = $1', [tenantId]);
  });

  it('is woken for tasks that a killed process left behind', async () => {
    const tenantId = await site.test.tenant();
    await enqueue(tenantId, once);
    await site.test.sql(
      "UPDATE graphile_worker._private_jobs SET locked_by = 'killed', locked_at = now(), attempts = 1 WHERE " +
        "payload ->> 'tenantId' = $1",
      [tenantId],
    );
    await worker(once).runDue();
    expect(await effects(tenantId)).toEqual([]);
    expect(await wakeLateTenants(site.test.database, new Date(Date.now() - 60_000))).toBe(0);
    expect(await wakeLateTenants(site.test.database, new Date())).toBe(1);
    await worker(once).runDue();
    expect(await effects(tenantId)).toEqual(['done']);
  });
});
