import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { startTestService, type Credential, type TestService } from '../support/service.ts';

const MiB = 1024 * 1024;
const APPLICATION = { applicant: { fullName: 'Maria da Silva' }, purpose: 'account_opening' };

let service: TestService;
let as: Credential;
let sockets: Socket[] = [];
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await service.stop();
});

/** With one connection to the database 25 requests may be at work, and 100 on their way in. */
async function start(env: Readonly<Record<string, string>> = {}): Promise<void> {
  service = await startTestService({ env: { DATABASE_POOL_SIZE: '1', ...env } });
  as = await service.acme.key(['read', 'write']);
}

const create = () => service.request<{ id: string; code: string }>('POST', '/v1/applications', { as, body: APPLICATION });

/** Opens a request and never sends the end of its body. */
async function stall(path: string, head: readonly string[], beginning: string | Buffer): Promise<Socket> {
  const { hostname, port } = new URL(service.url);
  const socket = connect({ host: hostname, port: Number(port) });
  sockets.push(socket);
  await once(socket, 'connect');
  socket.write([`POST ${path} HTTP/1.1`, 'Host: localhost', `X-API-Key: ${as['X-API-Key']}`, ...head, '', ''].join('\r\n'));
  socket.write(beginning);
  return socket;
}

const stallApplication = () => stall('/v1/applications', ['Content-Type: application/json', 'Content-Length: 1000'], '{"purpose"');

async function until(metric: RegExp): Promise<void> {
  while (!metric.test((await service.request('GET', '/metrics')).text)) await setTimeout(20);
}

describe('clients that send slowly', () => {
  it('do not take the places of those that are complete', async () => {
    await start();
    await Promise.all(Array.from({ length: 60 }, stallApplication));
    await until(/^http_requests_receiving 60$/m);
    expect((await service.request('GET', '/v1/applications', { as })).status).toBe(200);
    expect((await create()).status).toBe(201);
    expect((await service.request('GET', '/metrics')).text).toMatch(/^http_requests_in_flight 0$/m);
  });

  it('have a limit of their own, which leaves requests without a body alone', async () => {
    await start();
    await Promise.all(Array.from({ length: 100 }, stallApplication));
    await until(/^http_requests_receiving 100$/m);
    const { status, body, headers } = await create();
    expect([status, body.code, headers.get('retry-after')]).toEqual([503, 'overloaded', '1']);
    expect((await service.request('GET', '/v1/applications', { as })).status).toBe(200);
    for (const socket of sockets.splice(0)) socket.destroy();
    await until(/^http_requests_receiving 0$/m);
    expect((await create()).status).toBe(201);
  });

  it('hold no more memory together than they may, and give it back', async () => {
    await start({ BODY_MEMORY_MIB: '1' });
    const { body: { id } } = await create();
    const path = `/v1/applications/${id}/documents`;
    const head = ['Content-Type: multipart/form-data; boundary=x', `Content-Length: ${10 * MiB}`];
    const part = '--x\r\nContent-Disposition: form-data; name="file"; filename="a.pdf"\r\n\r\n';
    await stall(path, head, Buffer.concat([Buffer.from(part), Buffer.alloc(MiB - 100_000, 'a')]));
    await until(/^http_request_body_bytes (?!0$)\d{6}/m);
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

  it('count towards the same memory with what is no file', async () => {
    await start({ BODY_MEMORY_MIB: '1' });
    const metadata = { applicant: { fullName: 'Maria da Silva' }, purpose: 'account_opening', metadata: { note: 'x'.repeat(400) } };
    // Seven bodies that leave 200 bytes between them.
    const share = (MiB - 200) / 7;
    for (let i = 0; i < 7; i++) await stall('/v1/applications', ['Content-Type: application/json', 'Content-Length: 160000'], ' '.repeat(share));
    await until(/^http_request_body_bytes \d{7}$/m);
    expect(await service.request('POST', '/v1/applications', { as, body: metadata })).toMatchObject({ status: 503, body: { code: 'overloaded' } });
  });
});
