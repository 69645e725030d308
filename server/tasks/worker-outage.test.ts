/** Tests of the worker when the database fails while entries of the queue are returned. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { PoolClient } from 'pg';
import { Registry } from 'prom-client';
import { afterEach, describe, expect, it } from 'vitest';
import { createLog } from '../base/log.ts';
import { type Database, DatabaseUnavailable } from '../database/index.ts';
import { kind, leave, once, taskSite } from './testing/task-site.ts';
import { TaskWorker } from './worker.ts';

const site = taskSite();
const lines: string[] = [];
let isBroken = false;
let failures = 0;

/** Returns the database with a queue from whose connections no entry can be returned while `isBroken`. */
function breakable(): Database {
  const { database } = site.test;
  const breaking = (client: PoolClient): PoolClient =>
    new Proxy(client, {
      get(of, name) {
        const value: unknown = Reflect.get(of, name);
        if (typeof value !== 'function') return value;
        if (name !== 'query') return value.bind(of);
        return async (...args: Parameters<PoolClient['query']>) => {
          if (!isBroken || !/delete from .*_private_jobs as jobs/s.test(JSON.stringify(args[0])))
            return value.apply(of, args);
          await sleep(100);
          failures += 1;
          throw new Error('the connection is lost');
        };
      },
    });
  const queue = new Proxy(database.queue, {
    get(of, name) {
      const value: unknown = Reflect.get(of, name);
      if (typeof value !== 'function') return value;
      if (name !== 'connect') return value.bind(of);
      return (...args: unknown[]) => (args.length > 0 ? value.apply(of, args) : of.connect().then(breaking));
    },
  });
  return new Proxy(database, { get: (of, name) => (name === 'queue' ? queue : Reflect.get(of, name)) });
}

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await sleep(5);
}

const started = new Set<{ stop(): Promise<void> }>();
afterEach(async () => {
  isBroken = false;
  await Promise.all([...started].map((one) => one.stop()));
  started.clear();
});

describe('the worker', () => {
  it('goes on with the tasks after several entries could not be returned, while others were being served', async () => {
    const tenants = await Promise.all(Array.from({ length: 4 }, () => site.test.tenant()));
    let begun = 0;
    const served = kind('served', async ({ tx, subjectId }) => {
      begun += 1;
      const place = begun;
      // The first two end at nearly the same time; the next two find no database after these could not be returned.
      await until(() => (place <= 2 ? begun >= 2 : failures >= 2));
      await sleep(place * 10);
      if (place === 3 || place === 4) throw new DatabaseUnavailable('the connection is lost');
      await leave(tx, subjectId, 'served');
      return null;
    });
    const services = {
      database: breakable(),
      log: createLog('info', { write: (line) => lines.push(line) }),
      clock: () => new Date(),
    };
    const one = new TaskWorker(services, [served, once], new Registry(), { restartMilliseconds: 300 });
    started.add(one);
    isBroken = true;
    for (const tenantId of tenants) await site.enqueue(tenantId, served);
    one.start();

    await expect.poll(() => lines.join(''), { timeout: 10_000 }).toContain('the reader of the queue did not end');
    isBroken = false;
    for (const tenantId of tenants) await site.enqueue(tenantId, once);
    for (const tenantId of tenants)
      await expect.poll(() => site.effects(tenantId), { timeout: 10_000 }).toEqual(['served', 'done']);
  });
});
