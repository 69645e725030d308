/**
 * API tests of HTTP itself: messages that two servers would read differently, request targets, bodies, connections,
 * metrics.
 */
import { connect } from 'node:net';
import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { rowCounts } from '../support/contents.ts';
import { parse, raw, rawRequest } from '../support/raw.ts';
import { useService } from '../support/service.ts';

const DRAFT = '{"purpose":"other","applicant":{"fullName":"Maria da Silva"}}';

const service = await useService();
const key = (await service.acme.key(['read', 'write']))['X-API-Key'] ?? '';

/** Returns header lines of a request that would create an application. */
const creating = (...more: readonly string[]): string[] => [
  'POST /v1/applications HTTP/1.1',
  'Host: localhost',
  `X-API-Key: ${key}`,
  'Content-Type: application/json',
  ...more,
];
const message = (lines: readonly string[], body = ''): string => [...lines, '', body].join('\r\n');
const applications = async (): Promise<number> => (await rowCounts(service.database))['application'] ?? 0;

describe('a message that two servers would delimit differently', () => {
  it.each([
    [
      'both a length and chunks',
      ['Content-Length: 5', 'Transfer-Encoding: chunked'],
      `0\r\n\r\n${message(creating(`Content-Length: ${DRAFT.length}`), DRAFT)}`,
    ],
    ['two lengths', ['Content-Length: 61', 'Content-Length: 60'], DRAFT],
    ['a negative length', ['Content-Length: -1'], DRAFT],
    ['a length that is no number', ['Content-Length: 6l'], DRAFT],
    ['a signed length', [`Content-Length: +${DRAFT.length}`], DRAFT],
    ['a transfer coding that nobody knows', ['Transfer-Encoding: chunked, smuggled'], DRAFT],
    ['a chunk size that is none', ['Transfer-Encoding: chunked'], `zz\r\n${DRAFT}\r\n0\r\n\r\n`],
    ['a space before the colon', [`Content-Length : ${DRAFT.length}`], DRAFT],
    ['a folded field', ['X-Folded: a', ' b', `Content-Length: ${DRAFT.length}`], DRAFT],
    ['NUL in a field', ['X-Nul: a\0b', `Content-Length: ${DRAFT.length}`], DRAFT],
  ])('is refused, and nothing of it is executed: %s', async (_, lines, body) => {
    const before = await applications();
    const received = await raw(service.url, message(creating(...lines), body));
    expect(received).toMatch(/^HTTP\/1\.1 400 /);
    expect(received.match(/^HTTP\/1\.1 /gm)).toHaveLength(1);
    expect(await applications()).toBe(before);
  });

  it('is refused without a host', async () => {
    expect((await raw(service.url, 'GET /v1/sandbox HTTP/1.1\r\nConnection: close\r\n\r\n')).slice(0, 12)).toBe(
      'HTTP/1.1 400',
    );
  });

  it.each(['GET /v1/sand box HTTP/1.1', 'SMUGGLE /v1/sandbox HTTP/1.1', '\x16\x03\x01\x02\x00'])(
    'is refused if its first line is wrong: %j',
    async (line) => {
      expect((await raw(service.url, `${line}\r\nHost: localhost\r\n\r\n`)).slice(0, 12)).toBe('HTTP/1.1 400');
    },
  );
});

describe('a request target', () => {
  it.each(['OPTIONS *', 'GET *', 'TRACE /v1/sandbox', 'OPTIONS /v1/sandbox', 'PROPFIND /v1/sandbox'])(
    'in an unusual form gets a problem document: %s',
    async (start) => {
      const [method = '', target = ''] = start.split(' ');
      const { status, headers, body } = await rawRequest(service.url, method, target);
      expect([404, 405]).toContain(status);
      expect([headers.get('content-type'), body['status']]).toEqual(['application/problem+json', status]);
    },
  );

  it('of a proxy is refused', async () => {
    expect(await raw(service.url, 'CONNECT example.com:443 HTTP/1.1\r\nHost: example.com:443\r\n\r\n')).toBe('');
  });
});

describe('a body', () => {
  it('may be chunked', async () => {
    const chunks = [...DRAFT].map((character) => `1\r\n${character}\r\n`).join('');
    const answer = parse(
      await raw(
        service.url,
        message(creating('Transfer-Encoding: chunked', 'Connection: close'), `${chunks}0\r\n\r\n`),
      ),
    );
    expect(answer.status).toBe(201);
  });

  it('is refused as soon as it becomes too large, if its length was not announced', async () => {
    const before = await applications();
    const chunk = `10000\r\n${' '.repeat(0x10000)}\r\n`;
    const received = await raw(service.url, message(creating('Transfer-Encoding: chunked'), chunk.repeat(20)));
    const { status, headers, body } = parse(received);
    expect([status, body['code'], headers.get('connection')]).toEqual([413, 'payload_too_large', 'close']);
    expect(await applications()).toBe(before);
  });

  it('that never arrives whole changes nothing', async () => {
    const before = await applications();
    const { hostname, port } = new URL(service.url);
    const socket = connect({ host: hostname, port: Number(port) });
    await once(socket, 'connect');
    socket.write(message(creating(`Content-Length: ${DRAFT.length}`), DRAFT.slice(0, -1)));
    await setTimeout(50);
    socket.destroy();
    await setTimeout(50);
    expect(await applications()).toBe(before);
    expect((await fetch(`${service.url}/healthz`)).status).toBe(200);
  });

  it('of a GET is ignored', async () => {
    const { status } = await rawRequest(service.url, 'GET', '/v1/applications', {
      headers: [`X-API-Key: ${key}`, 'Content-Length: 3'],
      body: '{"}',
    });
    expect(status).toBe(200);
  });
});

describe('a connection', () => {
  it('carries many requests and answers them in their order', async () => {
    const ids = Array.from({ length: 20 }, (_, i) => `0197f2d1-77aa-7c11-8e21-0000000000${String(i).padStart(2, '0')}`);
    const requests = ids.map((id, i) =>
      message([
        `GET ${i % 2 === 0 ? '/v1/applications?limit=1' : '/v1/unknown'} HTTP/1.1`,
        'Host: localhost',
        `X-API-Key: ${key}`,
        `X-Request-Id: ${id}`,
        ...(i === ids.length - 1 ? ['Connection: close'] : []),
      ]),
    );
    const received = await raw(service.url, requests.join(''));
    expect([...received.matchAll(/^X-Request-Id: (\S+)/gim)].map(([, id]) => id)).toEqual(ids);
  });
});

describe('every answer', () => {
  it.each(['/v1/applications', '/v1/unknown', '/healthz', '/metrics', '/.well-known/jwks.json', '/oauth/token'])(
    'reveals nothing about its server: %s',
    async (path) => {
      const { headers, text } = await service.request('GET', path, { as: { 'X-API-Key': key } });
      for (const name of ['server', 'x-powered-by', 'via', 'access-control-allow-origin', 'set-cookie'])
        expect(headers.get(name)).toBeNull();
      expect(text).not.toMatch(/express|node_modules|\.ts:\d+/i);
    },
  );
});

describe('the metrics', () => {
  it('have no label that a stranger can choose', async () => {
    const series = async (): Promise<string[]> =>
      (await service.request('GET', '/metrics')).text
        .split('\n')
        .filter((line) => line.startsWith('http_'))
        .map((line) => line.replace(/ [^ ]+$/, ''));
    for (const path of ['/v1/first', '/v1/applications?a=1'])
      await service.request('GET', path, { as: { 'X-API-Key': key } });
    const before = await series();
    for (let i = 0; i < 20; i++)
      await service.request(i % 2 === 0 ? 'GET' : 'POST', `/v1/stranger-${i}?x=${i}`, {
        as: { 'X-API-Key': key, 'User-Agent': `stranger-${i}` },
      });
    expect(await series()).toEqual(before);
  });
});
