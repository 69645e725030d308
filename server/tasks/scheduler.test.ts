/** Tests of the scheduler of periodic jobs. */
import { setTimeout } from 'node:timers/promises';
import { Registry } from 'prom-client';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../test/support/postgres.ts';
import { createLog } from '../base/log.ts';
import { type Job, JobMetrics, type JobServices } from './job.ts';
import { Scheduler } from './scheduler.ts';
import { withJobLock } from './store.ts';

let test: TestDatabase;
let lines: string[];
let registry: Registry;
beforeAll(async () => {
  test = await createTestDatabase();
});
afterAll(() => test.close());
beforeEach(() => {
  lines = [];
  registry = new Registry();
});

function scheduler(...jobs: Job[]): Scheduler<JobServices> {
  const log = createLog('info', { write: (line) => lines.push(line) });
  return new Scheduler({ database: test.database, log, clock: () => new Date() }, jobs, new JobMetrics(registry));
}

const job = (name: string, run: Job['run'], everySeconds = 3600): Job => ({ name, everySeconds, run });

describe('the scheduler', () => {
  it('returns the number of items of a round, and counts them', async () => {
    await expect(scheduler(job('a', async () => 3)).run('a')).resolves.toBe(3);
    const metrics = await registry.metrics();
    expect(metrics).toContain('job_runs_total{job="a",outcome="success"} 1');
    expect(metrics).toContain('job_items_total{job="a"} 3');
    expect(metrics).toMatch(/job_last_success_timestamp_seconds\{job="a"\} \d{10}/);
    expect(metrics).toContain('job_duration_seconds_count{job="a"} 1');
  });

  it('records the time of the last successful round in the database', async () => {
    const jobs = scheduler(
      job('kept', async () => 0, 60),
      job('failing', async () => {
        throw new Error('no');
      }),
    );
    await jobs.run('kept');
    await expect(jobs.run('failing')).rejects.toThrow('no');
    const rows = await test.sql<{ name: string; every_seconds: number; at: string }>(
      `SELECT * FROM job_success WHERE name IN ('kept', 'failing')`,
    );
    expect(rows).toMatchObject([{ name: 'kept', every_seconds: 60 }]);
    expect(Date.now() - Date.parse(rows[0]?.at ?? '')).toBeLessThan(10_000);
  });

  it('refuses an unknown job name', () => {
    expect(() => scheduler().run('nothing')).toThrow('there is no job nothing');
  });

  it('runs the rounds of a process one after the other', async () => {
    const events: string[] = [];
    const slow = (name: string) =>
      job(name, async () => {
        events.push(`${name} begins`);
        await setTimeout(20);
        events.push(`${name} ends`);
        return 0;
      });
    const jobs = scheduler(slow('a'), slow('b'));
    await Promise.all([jobs.run('a'), jobs.run('b')]);
    expect(events).toEqual(['a begins', 'a ends', 'b begins', 'b ends']);
  });

  it('leaves a job to the process that is running it', async () => {
    const held = Promise.withResolvers<void>();
    const started = Promise.withResolvers<void>();
    const elsewhere = withJobLock(test.database, 'a', async () => {
      started.resolve();
      await held.promise;
    });
    await started.promise;
    const jobs = scheduler(
      job('a', async () => 1),
      job('b', async () => 1),
    );
    await expect(jobs.run('a')).resolves.toBeNull();
    await expect(jobs.run('b')).resolves.toBe(1);
    held.resolve();
    await elsewhere;
    await expect(jobs.run('a')).resolves.toBe(1);
    expect(await registry.metrics()).toContain('job_runs_total{job="a",outcome="elsewhere"} 1');
  });

  it('tries a job that failed again, and says so', async () => {
    let rounds = 0;
    const done = Promise.withResolvers<void>();
    const jobs = scheduler(
      job(
        'a',
        async () => {
          if (++rounds === 1) throw new Error('the first round fails');
          done.resolve();
          return 1;
        },
        0.01,
      ),
    );
    jobs.start();
    await done.promise;
    await jobs.stop();
    expect(
      lines
        .map((line) => JSON.parse(line) as { msg: string; err?: { message: string } })
        .map(({ msg, err }) => err?.message ?? msg),
    ).toContain('the first round fails');
    expect(await registry.metrics()).toContain('job_runs_total{job="a",outcome="failure"} 1');
  });

  it('stops the running round, waits for it, and starts no other', async () => {
    const started = Promise.withResolvers<void>();
    let aborted = false;
    const jobs = scheduler(
      job('a', async ({ signal }) => {
        started.resolve();
        await setTimeout(60_000, null, { signal }).catch(() => (aborted = true));
        return 7;
      }),
      job('b', async () => 1),
    );
    const [running, waiting] = [jobs.run('a'), jobs.run('b')];
    await started.promise;
    await jobs.stop();
    expect(aborted).toBe(true);
    await expect(running).resolves.toBe(7);
    await expect(waiting).resolves.toBeNull();
  });
});
