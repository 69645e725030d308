import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Measurement, Plan, Request } from './load.ts';
import { Program } from './program.ts';

const seen = new Set<string>();
/** The cursors that each reader has presented. */
const asked = new Map<string, string[]>();

/** A page of a feed that ends at position 10. */
function page(reader: string, url: string): string {
  const cursor = /cursor=(\d+)/.exec(url)?.[1] ?? '';
  asked.set(reader, [...asked.get(reader) ?? [], cursor]);
  return `{"events":[],"cursor":"${Number(cursor) + 1}","hasMore":${Number(cursor) < 9}}`;
}

const server = createServer((request, response) => {
  let body = '';
  request.on('data', (chunk: Buffer) => (body += chunk.toString()));
  request.on('end', () => {
    const { 'idempotency-key': key, 'x-reader': reader } = request.headers;
    if (key !== undefined) seen.add(String(key));
    const text = reader === undefined ? `{"echo":"${body}"}` : page(String(reader), request.url ?? '');
    response.writeHead(request.url === '/missing' ? 404 : 200, { 'Content-Length': Buffer.byteLength(text) }).end(text);
  });
});
let generator: Program<Plan, Measurement>;

beforeAll(async () => {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  generator = new Program(join(import.meta.dirname, 'load.ts'));
});
afterAll(async () => {
  await generator.stop();
  server.close();
});

const post: Request = { method: 'POST', path: '/', headers: {}, body: 'ç!' };

function run(overrides: Partial<Plan> = {}): Promise<Measurement> {
  return generator.run({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, connections: 4, seconds: 0.2, expectedStatus: 200, requests: [post], ...overrides });
}

describe('the load generator', () => {
  it('counts requests and their latency', async () => {
    const measurement = await run();
    expect(measurement.requests).toBeGreaterThan(0);
    expect(measurement.p99Milliseconds).toBeGreaterThanOrEqual(measurement.p50Milliseconds);
  });

  it('gives every request its own idempotency key when it is told to', async () => {
    const { requests } = await run({ idempotencyKeys: true });
    expect(seen.size).toBe(requests);
  });

  it('lets every reader go on where its last page ended, and begin again at the end', async () => {
    const requests = ['a', 'b', 'c', 'd', 'e'].map((name): Request => ({ method: 'GET', path: '/feed?limit=1&cursor=7', headers: { 'x-reader': name } }));
    await run({ requests, followCursors: true });
    expect(asked.get('c')?.slice(0, 5)).toEqual(['7', '8', '9', '7', '8']);
  });

  it('stops at an answer that was not expected and says which', async () => {
    await expect(run({ requests: [{ ...post, path: '/missing' }] })).rejects.toThrow('POST /missing was answered by 404: {"echo":"ç!"}');
  });

  it('says so when its process ends', async () => {
    const running = run({ seconds: 30 });
    void generator.stop();
    await expect(running).rejects.toThrow('load.ts ended unexpectedly');
  });
});
