/** API tests of clients that send slowly: they must not use up memory or keep others waiting. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { refusal, success } from '../support/api.ts';
import { parse } from '../support/raw.ts';
import { startTestService, type Credential, type TestService } from '../support/service.ts';

const MiB = 1024 * 1024;
const APPLICATION = { applicant: { fullName: 'Maria da Silva' }, purpose: 'account_opening' };
const OTHERS = ['127.0.0.2', '127.0.0.3', '127.0.0.4'];

let service: TestService;
let as: Credential;
let sockets: Socket[] = [];
async function stop(): Promise<void> {
  for (const socket of sockets.splice(0)) socket.destroy();
  await service.stop();
}

/**
 * Starts a service; one connection to the database permits 25 requests in execution, and 100 that are being received.
 */
async function start(env: Readonly<Record<string, string>> = {}): Promise<void> {
  service = await startTestService({ env: { DATABASE_POOL_SIZE: '1', ...env } });
  as = await service.acme.key(['read', 'write']);
}

const create = () =>
  service.request<{ id: string; code: string }>('POST', '/v1/applications', { as, body: APPLICATION });

/** Opens a request and never sends the end of its body. */
async function stall(
  path: string,
  head: readonly string[],
  beginning: string | Buffer,
  localAddress = '127.0.0.1',
): Promise<Socket> {
  const { hostname, port } = new URL(service.url);
  const socket = connect({ host: hostname, port: Number(port), localAddress }).on('error', () => {});
  sockets.push(socket);
  await once(socket, 'connect');
  socket.write(
    [`POST ${path} HTTP/1.1`, 'Host: localhost', `X-API-Key: ${as['X-API-Key']}`, ...head, '', ''].join('\r\n'),
  );
  socket.write(beginning);
  return socket;
}

const JSON_BODY = ['Content-Type: application/json', 'Content-Length: 5000'];
/** `stallShort` sends one byte, `stallLong` more than the first kilobyte, which costs nothing. */
const stallShort = (_: unknown, i: number) => stall('/v1/applications', JSON_BODY, '{', OTHERS[i % 3]);
const stallLong = (address: string) => stall('/v1/applications', JSON_BODY, `{${' '.repeat(1100)}`, address);

async function until(metric: RegExp): Promise<void> {
  while (!metric.test((await service.request('GET', '/metrics')).text)) await setTimeout(20);
}

describe('clients that send slowly', () => {
  afterEach(stop);

  it('reserve no memory before the first kilobyte has arrived, however many there are and however often they reconnect', async () => {
    await start();
    for (let round = 0; round < 2; round++) {
      await Promise.all(Array.from({ length: 600 }, stallShort));
      await until(/^http_connections 60\d$/m);
      await until(/^http_requests_receiving 0$/m);
      for (let i = 0; i < 5; i++) expect((await create()).status).toBe(201);
      for (const socket of sockets.splice(0)) socket.destroy();
      await until(/^http_connections \d$/m);
    }
  });

  it('do not prevent complete requests from being admitted', async () => {
    await start();
    await Promise.all(Array.from({ length: 40 }, () => stallLong('127.0.0.1')));
    await until(/^http_requests_receiving 40$/m);
    await success(service.api.GET('/v1/applications', { headers: as }));
    expect((await create()).status).toBe(201);
    expect((await service.request('GET', '/metrics')).text).toMatch(/^http_requests_in_flight 0$/m);
  });

  it('leave as much to other addresses as they use themselves', async () => {
    await start();
    await Promise.all(Array.from({ length: 80 }, () => stallLong('127.0.0.2')));
    await until(/^http_requests_receiving 50$/m);
    await Promise.all(Array.from({ length: 80 }, () => stallLong('127.0.0.3')));
    await until(/^http_requests_receiving 75$/m);
    expect((await create()).status).toBe(201);
  });

  it('are refused if their address has used its share, while requests without a body are still served', async () => {
    await start();
    await Promise.all(Array.from({ length: 50 }, () => stallLong('127.0.0.1')));
    await until(/^http_requests_receiving 50$/m);
    const { status, body, headers } = await create();
    expect([status, body.code, headers.get('retry-after')]).toEqual([503, 'overloaded', '1']);
    expect((await service.api.GET('/v1/applications', { headers: as })).response.status).toBe(200);
    for (const socket of sockets.splice(0)) socket.destroy();
    await until(/^http_requests_receiving 0$/m);
    expect((await create()).status).toBe(201);
  });

  it('hold no more memory in total than the limit, and release it', async () => {
    await start({ BODY_MEMORY_MIB: '2' });
    const {
      body: { id },
    } = await create();
    const path = `/v1/applications/${id}/documents`;
    const head = ['Content-Type: multipart/form-data; boundary=x', `Content-Length: ${10 * MiB}`];
    const part = '--x\r\nContent-Disposition: form-data; name="file"; filename="a.pdf"\r\n\r\n';
    await stall(path, head, Buffer.concat([Buffer.from(part), Buffer.alloc(MiB - 100_000, 'a')]));
    await until(/^http_request_body_bytes 9\d{5}$/m);
    const form = new FormData();
    form.set('type', 'other');
    form.set('file', new File([new Uint8Array(400_000)], 'b.pdf'));
    const upload = () => service.request('POST', path, { as, body: form });
    expect(await upload()).toMatchObject({ status: 503, body: { code: 'overloaded', retryable: true } });
    for (const socket of sockets.splice(0)) socket.destroy();
    await until(/^http_request_body_bytes 0$/m);
    expect((await upload()).body.code).toBe('unsupported_file_type');
    await until(/^http_request_body_bytes 0$/m);
  });

  it('count towards the same memory with requests that are no file', async () => {
    await start({ BODY_MEMORY_MIB: '1' });
    const metadata = {
      applicant: { fullName: 'Maria da Silva' },
      purpose: 'account_opening',
      metadata: { note: 'x'.repeat(400) },
    } as const;
    const stallWith = (bytes: number, address: string) =>
      stall(
        '/v1/applications',
        ['Content-Type: application/json', 'Content-Length: 160000'],
        ' '.repeat(bytes),
        address,
      );
    for (const address of [...OTHERS, ...OTHERS]) await stallWith(125_000, address);
    await until(/^http_request_body_bytes 750000$/m);
    await stallWith(150_000, '127.0.0.1');
    await until(/^http_request_body_bytes 900000$/m);
    expect(await refusal(service.api.POST('/v1/applications', { headers: as, body: metadata }))).toMatchObject({
      status: 503,
      body: { code: 'overloaded' },
    });
  });
});

/** These tests share a service, because each waits longer than it works. */
describe('a body that comes too slowly', () => {
  beforeAll(() => start({ SLOW_CLIENT_SECONDS: '1' }));
  afterAll(stop);

  const answerTo = async (socket: Socket): Promise<string> => {
    let text = '';
    socket.setEncoding('latin1').on('data', (chunk: string) => (text += chunk));
    await once(socket, 'close');
    return text;
  };

  it.concurrent.for<[string, (socket: Socket) => void]>([
    ['one that stands still', () => {}],
    ['one that drips', (socket) => void setInterval(() => socket.writable && socket.write(' '), 50).unref()],
  ])('is answered 408, and its connection is closed: %s', async ([, goOn], { expect }) => {
    const socket = await stallLong('127.0.0.1');
    goOn(socket);
    const { status, body, headers } = parse(await answerTo(socket));
    expect([status, body['code'], headers.get('connection')]).toEqual([408, 'request_timeout', 'close']);
  });

  it.concurrent.for([
    ['trailers', 'Transfer-Encoding: chunked', '1\r\n{\r\n0\r\nX-Trailer: '],
    ['the size of a chunk', 'Transfer-Encoding: chunked', '1;x='],
  ] as const)('cannot hide in what is no body: %s', async ([, framing, beginning], { expect }) => {
    const socket = await stall('/v1/applications', ['Content-Type: application/json', framing], beginning);
    setInterval(() => socket.writable && socket.write('a'), 50).unref();
    expect(parse(await answerTo(socket)).status).toBe(408);
  });

  it.concurrent('loses its connection after it was refused', async ({ expect }) => {
    const socket = await stall('/v1/nowhere', ['Content-Length: 5000'], '{');
    expect(parse(await answerTo(socket)).status).toBe(404);
  });

  it.concurrent('is read if it makes progress', async ({ expect }) => {
    const text = JSON.stringify(APPLICATION).padEnd(40_000);
    const socket = await stall(
      '/v1/applications',
      ['Content-Type: application/json', `Content-Length: ${text.length}`, 'Connection: close'],
      '',
    );
    const answer = answerTo(socket);
    for (let from = 0; from < text.length; from += 2_000) {
      socket.write(text.slice(from, from + 2_000));
      await setTimeout(120);
    }
    expect(parse(await answer).status).toBe(201);
  });

  it('is counted each time, as the five above, and leaves nothing behind', async () => {
    await until(/^http_requests_receiving 0$/m);
    expect((await service.request('GET', '/metrics')).text).toMatch(
      /^http_connections_closed_total\{reason="slow_body"\} 5$/m,
    );
  });
});
