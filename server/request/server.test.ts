/** Tests of the HTTP server: messages that are not HTTP, and listening. */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Registry } from 'prom-client';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { parse, raw } from '../../test/support/raw.ts';
import { createLog } from '../base/log.ts';
import { ConnectionRegistry } from './connections.ts';
import { createHttpServer, listen } from './server.ts';

let server: Server;
let url: string;
const registry = new Registry();
const lines: string[] = [];

beforeAll(async () => {
  const connections = new ConnectionRegistry({ connections: 100, windowMilliseconds: 10_000 }, registry);
  const log = createLog('info', { write: (line) => lines.push(line) });
  server = createHttpServer(
    (request, response) => {
      if (request.url === '/slowly') {
        response.writeHead(200, { 'Content-Length': 10 }).write('begun');
        return;
      }
      request
        .on('error', () => {})
        .resume()
        .on('end', () => response.end('read'));
    },
    { connections, registry, log },
    { headersTimeout: 200, requestTimeout: 400, connectionsCheckingInterval: 50 },
  );
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

describe('a message that is not HTTP', () => {
  it.each([
    ['no request line', 400, 'malformed_request', 'hello\r\n\r\n'],
    ['an unknown method', 400, 'malformed_request', 'SMUGGLE / HTTP/1.1\r\nHost: a\r\n\r\n'],
    ['a TLS handshake', 400, 'malformed_request', '\x16\x03\x01\x02\x00'],
    [
      'two ways to say how long it is',
      400,
      'malformed_request',
      'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    ],
    [
      'fields without end',
      431,
      'header_fields_too_large',
      `GET / HTTP/1.1\r\nHost: a\r\n${'X-Field: value\r\n'.repeat(2000)}\r\n`,
    ],
    [
      'chunk extensions without end',
      413,
      'payload_too_large',
      `POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n1;${'x'.repeat(20_000)}\r\na\r\n0\r\n\r\n`,
    ],
    ['a head that does not end', 408, 'request_timeout', 'GET / HTTP/1.1\r\nHost: a\r\n'],
    [
      'a body that does not end',
      408,
      'request_timeout',
      'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\nhalf',
    ],
  ])('gets a problem document and a closed connection: %s', async (_, status, code, bytes) => {
    const answer = parse(await raw(url, Buffer.from(bytes, 'latin1')));
    expect([answer.status, answer.headers.get('content-type'), answer.headers.get('connection')]).toEqual([
      status,
      'application/problem+json',
      'close',
    ]);
    expect(answer.body).toMatchObject({
      type: `/problems/${code}`,
      status,
      code,
      requestId: answer.headers.get('x-request-id'),
    });
    expect(lines.some((line) => line.includes(String(answer.body['requestId'])))).toBe(true);
    expect(await registry.metrics()).toContain(`http_unreadable_total{code="${code}"}`);
  });

  it('does not prevent the response to an earlier request on the same connection', async () => {
    const received = await raw(url, 'GET / HTTP/1.1\r\nHost: a\r\n\r\nnonsense\r\n\r\n');
    expect(received).toMatch(/^HTTP\/1\.1 (200|400) /);
    expect(received).toContain('malformed_request');
  });

  it('never causes output within a response that is being sent', async () => {
    const received = await raw(url, 'GET /slowly HTTP/1.1\r\nHost: a\r\n\r\nnonsense\r\n\r\n');
    expect(received).not.toContain('malformed_request');
  });
});

const servers = [createServer(), createServer()] as const;
afterEach(() => servers.forEach((server) => server.close()));

describe('listening', () => {
  it('continues after a later error, and logs it', async () => {
    const lines: string[] = [];
    const [server] = servers;
    const port = await listen(server, 0, '127.0.0.1', createLog('info', { write: (line) => lines.push(line) }));
    expect(port).toBeGreaterThan(0);
    server.emit('error', Object.assign(new Error('accept EMFILE'), { code: 'EMFILE' }));
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain('accept EMFILE');
  });

  it('fails when the port is taken', async () => {
    const [first, second] = servers;
    const log = createLog('silent');
    const port = await listen(first, 0, '127.0.0.1', log);
    await expect(listen(second, port, '127.0.0.1', log)).rejects.toMatchObject({
      name: 'AddressUnavailable',
      cause: { code: 'EADDRINUSE', syscall: 'listen' },
    });
  });
});
