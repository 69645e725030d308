/** Clients that send requests and do not read the answers. No other client may wait for these answers. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { newApplication, newDocument } from '../operations/application-records.ts';
import { useService } from '../support/service.ts';

let sockets: Socket[] = [];
/** Service with one connection to the database, which permits 25 requests in execution. */
const service = await useService({ env: { DATABASE_POOL_SIZE: '1', SLOW_CLIENT_SECONDS: '3' } });
const as = await service.acme.key(['read', 'write']);
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await until(/^http_connections \d$/m);
});

const metrics = async (): Promise<string> => (await service.request('GET', '/metrics')).text;
const value = async (name: string): Promise<number> =>
  Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(await metrics())?.[1] ?? 0);

async function until(metric: RegExp): Promise<void> {
  while (!metric.test(await metrics())) await setTimeout(20);
}

const get = (path: string, ...fields: readonly string[]): string =>
  [`GET ${path} HTTP/1.1`, 'Host: localhost', `X-API-Key: ${as['X-API-Key']}`, ...fields, '', ''].join('\r\n');

/** Sends requests from another address and reads nothing. */
async function deaf(bytes: string): Promise<Socket> {
  const { hostname, port } = new URL(service.url);
  const socket = connect({ host: hostname, port: Number(port), localAddress: '127.0.0.2' })
    .on('error', () => {})
    .pause();
  sockets.push(socket);
  await once(socket, 'connect');
  socket.write(bytes);
  return socket;
}

async function expectNobodyElseToNotice(): Promise<void> {
  for (let i = 0; i < 10; i++)
    expect((await service.api.GET('/v1/applications', { headers: as })).response.status).toBe(200);
  await until(/^http_requests_in_flight 0$/m);
}

describe('an answer that nobody reads', () => {
  it('does not use up the admission of other clients, even with hundreds of requests on one connection', async () => {
    await deaf(get('/problems') + get('/openapi.json').repeat(300));
    await setTimeout(200);
    await expectNobodyElseToNotice();
    expect((await service.request('GET', '/problems')).status).toBe(200);
  });

  it.each(['/openapi.json', '/problems', '/v1/applications', '/v1/applications/unknown'])(
    'uses up none, from hundreds of connections either: %s',
    async (path) => {
      await Promise.all(Array.from({ length: 255 }, () => deaf(get(path).repeat(8))));
      await setTimeout(200);
      await expectNobodyElseToNotice();
    },
  );

  it('ends with its connection, together with the requests that were sent behind it', async () => {
    const before = await value('http_connections_closed_total\\{reason="unread_answer"\\}');
    const socket = await deaf(get('/openapi.json').repeat(300));
    await expect.poll(() => value('http_held_bytes')).toBeGreaterThan(4096 * 10);
    await expect.poll(() => value('http_connections_closed_total\\{reason="unread_answer"\\}')).toBe(before + 1);
    expect(await value('http_held_bytes')).toBe(0);
    await new Promise((closed) => socket.resume().once('close', closed));
  });

  it('ends also if it is read one byte, or a little, at a time', async () => {
    const before = await value('http_connections_closed_total\\{reason="unread_answer"\\}');
    const sips = await Promise.all(
      [1, 100].map(async (bytes) => {
        const socket = await deaf(get('/openapi.json').repeat(300));
        return setInterval(() => socket.read(bytes), 20);
      }),
    );
    await expect
      .poll(() => value('http_connections_closed_total\\{reason="unread_answer"\\}'))
      .toBe(before + sips.length);
    for (const sip of sips) clearInterval(sip);
  });

  it('may be read slowly, as long as it is read', async () => {
    const socket = await deaf(get('/openapi.json', 'Connection: close'));
    let received = 0;
    const sip = setInterval(() => {
      received += (socket.read(Math.min(socket.readableLength, 40_000)) as Buffer | null)?.length ?? 0;
    }, 50);
    await new Promise((resolve) => socket.once('end', resolve));
    clearInterval(sip);
    const { byteLength } = await (await fetch(`${service.url}/openapi.json`)).arrayBuffer();
    expect(received).toBeGreaterThan(byteLength);
  });
});

describe('requests on one connection', () => {
  it('are executed one after the other, in their order', async () => {
    const ids = Array.from({ length: 300 }, (_, i) => `0197f2d1-77aa-7c11-8e21-000000000${String(i).padStart(3, '0')}`);
    const { hostname, port } = new URL(service.url);
    const socket = connect({ host: hostname, port: Number(port) });
    sockets.push(socket);
    let text = '';
    socket.setEncoding('latin1').on('data', (chunk: string) => (text += chunk));
    socket.write(
      ids
        .map((id, i) =>
          get('/v1/applications?limit=1', `X-Request-Id: ${id}`, ...(i === 299 ? ['Connection: close'] : [])),
        )
        .join(''),
    );
    let most = 0;
    while (!socket.readableEnded && !socket.destroyed) most = Math.max(most, await value('http_requests_in_flight'));
    expect([...text.matchAll(/^X-Request-Id: (\S+)/gim)].map(([, id]) => id)).toEqual(ids);
    expect(text.match(/HTTP\/1\.1 200/g)).toHaveLength(300);
    expect(most).toBeLessThanOrEqual(1);
  });

  it('do not lose what is sent as a body behind another request', async () => {
    const { hostname, port } = new URL(service.url);
    const socket = connect({ host: hostname, port: Number(port) });
    sockets.push(socket);
    const draft = JSON.stringify({ purpose: 'other', applicant: { fullName: 'Maria da Silva' } }).padEnd(150_000);
    const post = [
      `POST /v1/applications HTTP/1.1`,
      'Host: localhost',
      `X-API-Key: ${as['X-API-Key']}`,
      'Content-Type: application/json',
      `Content-Length: ${draft.length}`,
      '',
      draft,
    ].join('\r\n');
    let text = '';
    socket.setEncoding('latin1').on('data', (chunk: string) => (text += chunk));
    socket.write(get('/v1/applications?limit=1') + post + post + get('/v1/applications?limit=1', 'Connection: close'));
    await once(socket, 'close');
    expect(text.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 201', 'HTTP/1.1 201', 'HTTP/1.1 200']);
  });
});

describe('a download that nobody reads', () => {
  it('holds no slot and no file open for long', async () => {
    const applicationId = await newApplication(service, service.acme);
    const id = await newDocument(service, service.acme, applicationId);
    await Promise.all(
      Array.from({ length: 60 }, () =>
        deaf(get(`/v1/applications/${applicationId}/documents/${id}/content`).repeat(50)),
      ),
    );
    await expectNobodyElseToNotice();
  });
});
