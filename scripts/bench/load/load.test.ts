import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { LoadGenerator } from './generator.ts';
import type { Plan, Repeating } from './plan.ts';

let server: Server;
let generator: LoadGenerator;
afterEach(() => {
  generator.stop();
  server.close();
});

const seen = new Set<string>();
/** The cursors that each reader has presented. */
const asked = new Map<string, string[]>();

/** A page of a feed that ends at place 10. */
function page(reader: string, url: string): string {
  const cursor = /cursor=(\d+)/.exec(url)?.[1] ?? '';
  asked.set(reader, [...asked.get(reader) ?? [], cursor]);
  return `{"events":[],"cursor":"${Number(cursor) + 1}","hasMore":${Number(cursor) < 9}}`;
}

async function plan(overrides: Partial<Repeating>): Promise<Plan> {
  server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      const key = request.headers['idempotency-key'];
      if (key !== undefined) seen.add(String(key));
      const reader = request.headers['x-reader'];
      const text = reader === undefined ? `{"echo":"${body}"}` : page(String(reader), request.url ?? '');
      response.writeHead(request.url === '/missing' ? 404 : 200, { 'Content-Length': Buffer.byteLength(text) }).end(text);
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  generator = new LoadGenerator();
  const head = 'POST / HTTP/1.1\r\nHost: bench\r\nContent-Length: 3\r\n';
  return {
    port: (server.address() as AddressInfo).port, connections: 4, seconds: 0.2, expectedStatus: 200, idempotencyKeys: false,
    requests: [{ head, body: 'ç!' }], ...overrides,
  };
}

describe('the load generator', () => {
  it('counts requests and their latency', async () => {
    const measurement = await runPlan({});
    expect(measurement.requests).toBeGreaterThan(0);
    expect(measurement.p99Milliseconds).toBeGreaterThanOrEqual(measurement.p50Milliseconds);
  });

  it('gives every request its own idempotency key when it is told to', async () => {
    const { requests } = await runPlan({ idempotencyKeys: true });
    expect(seen.size).toBe(requests);
  });

  it('lets every reader go on where its last page ended, and begin again at the end', async () => {
    const { port, connections, seconds } = await plan({});
    await generator.run({ port, connections, seconds, path: '/feed', readers: ['a', 'b', 'c', 'd', 'e'].map((name) => ({ headers: `X-Reader: ${name}\r\n`, cursor: '7' })) });
    expect(asked.get('c')?.slice(0, 5)).toEqual(['7', '8', '9', '7', '8']);
  });

  it('stops at an answer that was not expected and says which', async () => {
    const head = 'GET /missing HTTP/1.1\r\nHost: bench\r\n';
    await expect(runPlan({ requests: [{ head, body: '' }] })).rejects.toThrow('GET /missing HTTP/1.1 was answered by 404: {"echo":""}');
  });
});

async function runPlan(overrides: Partial<Repeating>) {
  const made = await plan(overrides);
  return generator.run(made);
}
