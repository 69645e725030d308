/** Tests of the mock, which answers by the examples of the contract. */
import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { each } from '../../test/support/each.ts';
import { METHODS } from '../contract/contract.ts';
import { projectContract } from '../contract/project.ts';
import { mock } from './mock.ts';

const contract = projectContract();
const credential = { 'X-API-Key': 'anything' };
let server: Server;
let base: string;

beforeAll(async () => {
  server = createServer(mock(contract)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterAll(() => server.close());

describe('the mock', () => {
  it('answers with the first success that the contract shows', async () => {
    const answer = await call('/v1/sandbox');
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('application/json');
    expect(await answer.json()).toEqual(example('/v1/sandbox', 'get', '200'));
  });

  it('answers with the example that is preferred, whatever was sent', async () => {
    const answer = await call('/v1/applications', {
      method: 'POST',
      headers: { ...credential, Prefer: 'code=422, example=validationFailed' },
    });
    expect(answer.status).toBe(422);
    expect(await answer.json()).toMatchObject({ code: 'validation_failed' });
  });

  it('says that the contract shows no such answer', async () => {
    const answer = await call('/v1/sandbox', { headers: { ...credential, Prefer: 'code=418' } });
    expect(answer.status).toBe(406);
    expect(await answer.json()).toMatchObject({ code: 'not_acceptable' });
  });

  it('judges a body as the service does', async () => {
    const answer = await call('/v1/applications', {
      method: 'POST',
      headers: { ...credential, 'Content-Type': 'application/json' },
      body: '{"purpose": 1}',
    });
    expect(answer.status).toBe(422);
    expect(await answer.json()).toMatchObject({
      code: 'validation_failed',
      errors: expect.arrayContaining([expect.objectContaining({ pointer: '/purpose' })]),
    });
  });

  it('judges parameters as the service does', async () => {
    expect(await code(await call('/v1/applications?unheard=of'))).toBe('unknown_parameter');
    expect(await code(await call('/v1/applications/not-an-id'))).toBe('invalid_parameter');
  });

  it('takes any credential, but wants one where the contract does', async () => {
    const answer = await fetch(`${base}/v1/sandbox`);
    expect(answer.status).toBe(401);
    expect(answer.headers.get('www-authenticate')).toContain('Bearer');
    expect((await fetch(`${base}/v1/sandbox`, { headers: { Authorization: 'Bearer x' } })).status).toBe(200);
  });

  it('serves only the paths and methods of the contract', async () => {
    expect(await code(await call('/v1/unheard-of'))).toBe('not_found');
    const answer = await call('/v1/sandbox', { method: 'PUT' });
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET']);
  });

  it('outlives requests that no client library would send', async () => {
    expect(await raw('GET // HTTP/1.1')).toContain('not_found');
    expect(await raw('GET http://[ HTTP/1.1')).toContain('not_found');
    expect(await raw('GET /v1/applications/%ff HTTP/1.1', 'X-API-Key: x')).toContain('invalid_parameter');
    await abandon(
      'POST /v1/applications HTTP/1.1',
      'X-API-Key: x',
      'Content-Type: application/json',
      'Content-Length: 100',
    );
    expect((await call('/v1/sandbox')).status).toBe(200);
  });

  it('may be called from pages of any origin', async () => {
    const preflight = await fetch(`${base}/v1/sandbox`, { method: 'OPTIONS' });
    expect([preflight.status, preflight.headers.get('access-control-allow-origin')]).toEqual([204, '*']);
    expect((await call('/v1/unheard-of')).headers.get('access-control-allow-origin')).toBe('*');
  });

  it('has an answer of every status of every operation', async () => {
    const shown = Object.entries(contract.paths).flatMap(([path, item]) =>
      METHODS.flatMap((method) =>
        Object.keys(item[method]?.responses ?? {}).map((status) => ({ path, method, status })),
      ),
    );
    for (const { path, method, status } of each(shown)) {
      const answer = await call(path.replaceAll(/\{\w+\}/g, '0197f2d1-77aa-7c11-8e21-5f4b3a2c1d00'), {
        method: method.toUpperCase(),
        headers: { ...credential, Prefer: `code=${status}` },
      });
      // A success needs a valid request; a refusal can be asked for by `Prefer`.
      if (Number(status) >= 400) expect([method, path, answer.status]).toEqual([method, path, Number(status)]);
      else expect([Number(status), 400, 415, 422], `${method} ${path}`).toContain(answer.status);
    }
  });
});

function call(path: string, init: RequestInit = {}): Promise<Response> {
  return fetch(base + path, { headers: credential, ...init });
}

/** Sends a raw request and returns the whole response. */
async function raw(...head: readonly string[]): Promise<string> {
  const socket = await said(...head, 'Connection: close');
  const chunks: Buffer[] = [];
  for await (const chunk of socket) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

/** Disconnects before the body is complete. */
async function abandon(...head: readonly string[]): Promise<void> {
  const requested = once(server, 'request');
  const socket = await said(...head);
  await requested;
  socket.destroy();
  await once(socket, 'close');
}

async function said(...head: readonly string[]): Promise<Socket> {
  const socket = connect(Number(new URL(base).port), '127.0.0.1');
  await once(socket, 'connect');
  socket.write([...head, 'Host: mock', '', ''].join('\r\n'));
  return socket;
}

async function code(answer: Response): Promise<unknown> {
  return ((await answer.json()) as { code: unknown }).code;
}

function example(path: string, method: 'get', status: string): unknown {
  const response = contract.paths[path]?.[method]?.responses[status];
  if (response === undefined || '$ref' in response) throw new Error('no such response');
  const [first] = Object.values(response.content?.['application/json']?.examples ?? {});
  if (first === undefined) throw new Error('no example');
  const target = '$ref' in first ? contract.components.examples?.[first.$ref.split('/').at(-1) ?? ''] : first;
  return target?.value;
}
