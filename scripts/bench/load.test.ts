/** Tests of the load generator of the benchmark. */
import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Measurement, Plan, Request } from './load.ts';
import { startProgram } from './program.ts';

const keys: unknown[] = [];
/** Cursors that each reader has sent to a feed that ends at position 10. */
const asked = new Map<unknown, string[]>();

const server = createServer((request, response) => {
  const {
    url = '',
    headers: { 'idempotency-key': key, 'x-reader': reader },
  } = request;
  const cursor = /cursor=(\d+)/.exec(url)?.[1] ?? '';
  keys.push(key);
  asked.set(reader, [...(asked.get(reader) ?? []), cursor]);
  response
    .writeHead(url === '/missing' ? 404 : 200)
    .end(`{"events":["ç"],"cursor":"${Number(cursor) + 1}","hasMore":${Number(cursor) < 9}}`);
});
const generator = startProgram<Plan, Measurement>(join(import.meta.dirname, 'load.ts'));

beforeAll(() => once(server.listen(0, '127.0.0.1'), 'listening'));
afterAll(async () => {
  await generator[Symbol.asyncDispose]();
  server.close();
});

const post: Request = {
  method: 'POST',
  path: '/',
  headers: {},
  body: 'ç!',
};

function run(overrides: Partial<Plan> = {}): Promise<Measurement> {
  return generator.run({
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    connections: 4,
    seconds: 0.2,
    expectedStatus: 200,
    requests: [post],
    ...overrides,
  });
}

describe('the load generator', () => {
  it('counts requests and their latency, and gives each its own idempotency key when it is told to', async () => {
    const { requests, p50Milliseconds, p99Milliseconds } = await run({ idempotencyKeys: true });
    expect(requests).toBeGreaterThan(0);
    expect(new Set(keys).size).toBe(requests);
    expect(p99Milliseconds).toBeGreaterThanOrEqual(p50Milliseconds);
  });

  it('lets every reader go on where its last page ended, and begin again at the end', async () => {
    const requests = ['a', 'b', 'c', 'd', 'e'].map(
      (name): Request => ({ method: 'GET', path: '/feed?limit=1&cursor=7', headers: { 'x-reader': name } }),
    );
    await run({ requests, followCursors: true });
    expect(asked.get('c')?.slice(0, 5)).toEqual(['7', '8', '9', '7', '8']);
  });

  it('stops at an answer that was not expected and says which', async () => {
    await expect(run({ requests: [{ ...post, path: '/missing' }] })).rejects.toThrow(
      'POST /missing was answered by 404: {"events":["ç"]',
    );
  });
});
