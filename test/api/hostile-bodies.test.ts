/** Bodies that cost more than their size: sent in tiny pieces, without end, or broken off. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import { newApplication } from '../operations/application-records.ts';
import { parse, raw } from '../support/raw.ts';
import { useService } from '../support/service.ts';

const DRAFT = JSON.stringify({ purpose: 'other', applicant: { fullName: 'Maria da Silva' } });
const MULTIPART = 'Content-Type: multipart/form-data; boundary=x';
const FILE = '--x\r\nContent-Disposition: form-data; name="file"; filename="a.pdf"\r\n\r\n';

const lines: string[] = [];
const service = await useService({ log: (line) => lines.push(line), env: { LOG_LEVEL: 'warn' } });
const key = (await service.acme.key(['read', 'write']))['X-API-Key'] ?? '';
const documents = `/v1/applications/${await newApplication(service, service.acme)}/documents`;

const post = (path: string, ...fields: readonly string[]): string =>
  [`POST ${path} HTTP/1.1`, 'Host: localhost', `X-API-Key: ${key}`, ...fields, '', ''].join('\r\n');
const chunks = (body: string, size: number): string =>
  (body.match(new RegExp(`[^]{1,${size}}`, 'g')) ?? [])
    .map((chunk) => `${chunk.length.toString(16)}\r\n${chunk}\r\n`)
    .join('');

describe('a body in tiny pieces', () => {
  it('is read if it is small', async () => {
    const answer = parse(
      await raw(
        service.url,
        post('/v1/applications', 'Content-Type: application/json', 'Transfer-Encoding: chunked', 'Connection: close') +
          `${chunks(DRAFT.padEnd(4000), 1)}0\r\n\r\n`,
      ),
    );
    expect(answer.status).toBe(201);
  });

  it.each([
    ['JSON', '/v1/applications', 'Content-Type: application/json', DRAFT.padEnd(100_000)],
    ['a file', '', MULTIPART, FILE.padEnd(100_000, 'a')],
    ['what stands before the first part', '', MULTIPART, ''.padEnd(100_000, 'a')],
  ])('is refused if it is large: %s', async (_, path, type, body) => {
    const answer = parse(
      await raw(service.url, `${post(path || documents, type, 'Transfer-Encoding: chunked')}${chunks(body, 1)}`),
    );
    expect([answer.status, answer.body['code']]).toEqual([413, 'payload_too_large']);
  });
});

describe('a client that waits for 100 Continue', () => {
  const beginning = [
    'Content-Type: application/json',
    `Content-Length: ${DRAFT.length}`,
    'Expect: 100-continue',
    'Connection: close',
  ];

  it('receives it if its body is wanted', async () => {
    expect((await raw(service.url, post('/v1/applications', ...beginning) + DRAFT)).match(/HTTP\/1\.1 \d+/g)).toEqual([
      'HTTP/1.1 100',
      'HTTP/1.1 201',
    ]);
  });

  it('is refused instead if its body is not wanted', async () => {
    expect(
      (
        await raw(service.url, post('/v1/applications', 'X-API-Key: kyc_live_wrong', ...beginning), { timeout: 500 })
      ).match(/HTTP\/1\.1 \d+/g),
    ).toEqual(['HTTP/1.1 401']);
    expect(
      (await raw(service.url, post('/v1/nowhere', ...beginning), { timeout: 500 })).match(/HTTP\/1\.1 \d+/g),
    ).toEqual(['HTTP/1.1 404']);
  });
});

describe('a multipart body', () => {
  it('has a limit, also without a file', async () => {
    const answer = parse(
      await raw(
        service.url,
        post(documents, MULTIPART, 'Transfer-Encoding: chunked') +
          chunks(''.padEnd(16 * 1024 * 1024, 'a'), 1024 * 1024),
      ),
    );
    expect([answer.status, answer.body['code']]).toEqual([413, 'file_too_large']);
  });
});

describe('a client that breaks off', () => {
  it.each([
    ['in the middle of JSON', '/v1/applications', ['Content-Type: application/json', 'Content-Length: 1000'], DRAFT],
    [
      'in the middle of chunks',
      '/v1/applications',
      ['Content-Type: application/json', 'Transfer-Encoding: chunked'],
      chunks(DRAFT, 10),
    ],
    ['in the middle of a file', '', [MULTIPART, 'Content-Length: 100000'], FILE],
    ['in the middle of a boundary', '', [MULTIPART, 'Content-Length: 100000'], `${FILE}abc\r\n--`],
    [
      'in the middle of a form',
      '/oauth/token',
      ['Content-Type: application/x-www-form-urlencoded', 'Content-Length: 100'],
      'grant_type=',
    ],
  ])('causes no error of the service: %s', async (_, path, fields, beginning) => {
    const { hostname, port } = new URL(service.url);
    for (const leave of ['destroy', 'resetAndDestroy', 'end'] as const) {
      const socket = connect({ host: hostname, port: Number(port) }).on('error', () => {});
      await once(socket, 'connect');
      socket.resume().write(post(path || documents, ...fields) + beginning);
      await new Promise((resolve) => setTimeout(resolve, 60));
      socket[leave]();
      if (!socket.destroyed) await once(socket, 'close');
    }
    await expect
      .poll(async () => (await service.request('GET', '/metrics')).text)
      .toMatch(/^http_requests_receiving 0$/m);
    expect(lines).toEqual([]);
  });
});
