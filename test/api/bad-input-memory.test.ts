/** API tests that requests of strangers leave nothing in memory. A cache that grows with their input fails here. */
import { Agent, request } from 'node:http';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestService, type TestService } from '../support/service.ts';

const MIB = 1024 * 1024;
const CONCURRENCY = 20;

let service: TestService;
let key: string;
const agent = new Agent({ keepAlive: true, maxSockets: CONCURRENCY });
beforeAll(async () => {
  service = await startTestService();
  key = (await service.acme.key(['write']))['X-API-Key'] ?? '';
});
afterAll(async () => {
  agent.destroy();
  await service.stop();
});

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

function heap(): number {
  collect();
  collect();
  return process.memoryUsage().heapUsed;
}

/** Sends a request over a real connection and resolves with the status. */
function send(path: string, headers: Record<string, string>, body: string): Promise<number> {
  return new Promise((resolve, reject) => {
    request(
      `${service.url}${path}`,
      { agent, method: 'POST', headers: { 'X-API-Key': key, ...headers } },
      (response) => {
        response.resume().on('end', () => resolve(response.statusCode ?? 0));
      },
    )
      .on('error', reject)
      .end(body);
  });
}

async function flood(count: number, one: (i: number) => Promise<number>): Promise<Set<number>> {
  const statuses = new Set<number>();
  let next = 0;
  await Promise.all(
    Array.from({ length: CONCURRENCY }, async () => {
      while (next < count) statuses.add(await one(next++));
    }),
  );
  return statuses;
}

describe('what a stranger sends', () => {
  const floods: readonly (readonly [string, number, (i: number) => Promise<number>])[] = [
    ['paths', 404, (i) => send(`/v1/${i}-${'x'.repeat(2000)}`, {}, '')],
    [
      'query parameters',
      400,
      (i) => send(`/v1/applications?p${i}=${'x'.repeat(2000)}`, { 'Content-Type': 'application/json' }, '{}'),
    ],
    [
      'members',
      422,
      (i) => send('/v1/applications', { 'Content-Type': 'application/json' }, `{"m${i}":"${'x'.repeat(2000)}"}`),
    ],
  ];

  it.each(floods)('leaves nothing in memory: thousands of distinct %s', async (_, status, one) => {
    expect(await flood(500, (i) => one(-i - 1))).toEqual(new Set([status]));
    const before = heap();
    expect(await flood(1500, one)).toEqual(new Set([status]));
    // A cache that keeps what was sent would take three mebibytes; what is measured is a fifth of one.
    expect((heap() - before) / MIB).toBeLessThan(1);
  });
});
