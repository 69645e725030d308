/** API tests of connections and requests without number from one address: others must not be affected. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { success } from '../support/api.ts';
import { parse, raw, type RawAnswer } from '../support/raw.ts';
import { startTestService, useService } from '../support/service.ts';

const service = await useService({ env: { MAX_CONNECTIONS: '100' } });
const key = `X-API-Key: ${(await service.acme.key(['read', 'write']))['X-API-Key']}`;
const message = (lines: readonly string[], body = ''): string => [...lines, '', body].join('\r\n');

const send = async (lines: readonly string[], body = ''): Promise<RawAnswer> =>
  parse(await raw(service.url, message(lines, body)));

describe('connections without number', () => {
  let sockets: Socket[] = [];
  afterEach(async () => {
    for (const socket of sockets.splice(0)) socket.destroy();
    await setTimeout(50);
  });
  const open = async (localAddress: string, bytes = ''): Promise<Socket> => {
    const { hostname, port } = new URL(service.url);
    const socket = connect({ host: hostname, port: Number(port), localAddress })
      .on('error', () => {})
      .resume();
    sockets.push(socket);
    await once(socket, 'connect');
    socket.write(bytes);
    return socket;
  };
  const isOpen = ({ destroyed, readableEnded }: Socket): boolean => !destroyed && !readableEnded;

  it.each([
    ['that say nothing', ''],
    ['that stop within a head', 'GET / HTTP/1.1\r\nHost: '],
    [
      'that stop within a body',
      'POST /v1/auth/login HTTP/1.1\r\n' +
        'Host: localhost\r\n' +
        'Content-Type: application/json\r\n' +
        'Content-Length: 100\r\n' +
        '\r\n' +
        '{',
    ],
  ])('end where they are the most, and nobody else is kept out: %s', async (_, bytes) => {
    const quiet = await Promise.all(Array.from({ length: 5 }, () => open('127.0.0.3')));
    for (let i = 0; i < 300; i++) {
      await open('127.0.0.2', bytes);
      if (i % 50 === 0) expect((await service.request('GET', '/healthz')).status).toBe(200);
    }
    const answer = await send(['GET /v1/applications HTTP/1.1', 'Host: localhost', key, 'Connection: close']);
    expect(answer.status).toBe(200);
    expect(quiet.every(isOpen)).toBe(true);
    expect((await service.request('GET', '/metrics')).text).toMatch(/^http_connections (100|\d\d)$/m);
  });

  it('may come one after the other from the same address', async () => {
    for (let i = 0; i < 150; i++) await open('127.0.0.1');
    for (let i = 0; i < 5; i++)
      expect((await send(['GET /v1/applications HTTP/1.1', 'Host: localhost', key, 'Connection: close'])).status).toBe(
        200,
      );
  });
});

describe('requests for no operation', () => {
  it.each([
    '/',
    '/problems',
    '/openapi.json',
    '/assets/x/site.css',
    '/nowhere',
    '/healthz',
    '/readyz',
    '/metrics',
    '/.well-known/jwks.json',
  ])('have a quota for each address: %s', async (path) => {
    const narrow = await startTestService({ env: { RATE_LIMIT_PAGES: '3' } });
    try {
      const statuses = [];
      for (let i = 0; i < 4; i++) statuses.push((await narrow.request('GET', path)).status);
      const refusal = await narrow.request('GET', path);
      expect(statuses[3]).toBe(429);
      expect(statuses.slice(0, 3)).not.toContain(429);
      expect([refusal.body.code, refusal.headers.get('ratelimit-policy')]).toEqual([
        'rate_limited',
        `"${/healthz|readyz|metrics|jwks/.test(path) ? 'probes' : 'pages'}";q=3;w=60`,
      ]);
      expect(Number(refusal.headers.get('retry-after'))).toBeGreaterThan(0);
    } finally {
      await narrow.stop();
    }
  });

  it('use up the quota of their own address only, and leave the API and the health alone', async () => {
    const narrow = await startTestService({ env: { RATE_LIMIT_PAGES: '3' } });
    for (let i = 0; i < 3; i++) await narrow.request('GET', '/nowhere');
    expect((await narrow.request('GET', '/nowhere')).status).toBe(429);
    expect((await narrow.request('DELETE', '/v1/applications')).status).toBe(429);
    expect((await narrow.request('GET', '/healthz')).status).toBe(200);
    await success(narrow.api.GET('/v1/applications', { headers: await narrow.acme.key(['read']) }));
    const { hostname, port } = new URL(narrow.url);
    const socket = connect({ host: hostname, port: Number(port), localAddress: '127.0.0.9' });
    socket.write(message(['GET / HTTP/1.1', 'Host: localhost', 'Connection: close']));
    const [chunk] = (await once(socket, 'data')) as [Buffer];
    expect(String(chunk)).toMatch(/^HTTP\/1\.1 200/);
    await narrow.stop();
  });
});
