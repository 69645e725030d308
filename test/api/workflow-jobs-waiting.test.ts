/** API tests of two hundred workers that wait for work at the same time, while others use the service. */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { unique } from '../operations/call.ts';
import { newActiveProcess, workOf } from '../operations/workflow-records.ts';
import { each } from '../support/each.ts';
import { startTestService } from '../support/service.ts';
import { success } from '../support/api.ts';

const WORKERS = 200;
/** Requests that arrive at once, fewer than one address may have at work. */
const AT_ONCE = 50;
const OTHERS = 100;
const POOL_SIZE = 10;
const LONGEST_WAIT_SECONDS = 30;

const PROMISE = `hold none of ${POOL_SIZE} connections, get the work that comes, and end with the process`;

it(`${WORKERS} waiting workers ${PROMISE}`, async () => {
  const service = await startTestService({ env: { DATABASE_POOL_SIZE: String(POOL_SIZE) }, sabotaged: true });
  const { acme, api } = service;
  const officer = await acme.user('compliance_officer', { purpose: 'draws' });
  const type = `external.${unique()}`;
  const key = await newActiveProcess(service, acme, workOf(type));
  const begin = () =>
    success(api.POST('/v1/workflows/instances', { headers: officer, body: { definitionKey: key } }), 201);
  const metric = async (name: string): Promise<number> => {
    const { text } = await service.request('GET', '/metrics');
    return Number(
      text
        .split('\n')
        .find((line) => line.startsWith(`${name} `))
        ?.slice(name.length),
    );
  };
  const until = async (waiting: number): Promise<void> => {
    while ((await metric('http_requests_waiting')) !== waiting) await sleep(20);
  };
  const take = async (index: number) => {
    const { body } = await success(
      api.POST('/v1/workflows/jobs/activate', {
        headers: officer,
        body: {
          types: [type],
          worker: `worker-${index}`,
          maximum: 1,
          waitSeconds: LONGEST_WAIT_SECONDS,
        },
      }),
    );
    return body.items;
  };
  try {
    // A wait on a slow machine may end by its time, so workers ask again, as they do in reality.
    let isStopping = false;
    const worker = async (index: number) => {
      for (;;) {
        const items = await take(index);
        if (items.length > 0 || isStopping) return items;
      }
    };
    const workers: ReturnType<typeof worker>[] = [];
    while (workers.length < WORKERS) {
      for (let i = 0; i < AT_ONCE; i++) workers.push(worker(workers.length));
      await until(workers.length);
    }
    expect(await metric('http_requests_in_flight')).toBe(0);
    expect(await metric('database_connections{state="busy"}')).toBe(0);

    const read = () => success(api.GET('/v1/workflows/tasks', { headers: officer }));
    const answers = await Promise.all(Array.from({ length: OTHERS }, read));
    for (const { status } of each(answers)) expect(status).toBe(200);

    await Promise.all([begin(), begin(), begin()]);
    await until(WORKERS - 3);
    isStopping = true;
    void service.running.stop();
    const taken = (await Promise.all(workers)).map((items) => items.length);
    expect(taken.toSorted((one, other) => other - one)).toEqual(
      Array.from({ length: WORKERS }, (_, index) => (index < 3 ? 1 : 0)),
    );
  } finally {
    await service.stop();
  }
});
