/** API tests of wrong headers: content types, encodings and credentials. */
import { describe, expect, it } from 'vitest';
import { rawRequest } from '../support/raw.ts';
import { shared } from '../support/service.ts';
import { CANARY, startBadInputWorld } from './bad-input-world.ts';

const world = await shared(startBadInputWorld());

const body = '{"purpose":"other","applicant":{"fullName":"Maria da Silva"}}';
const keyLine = () => `X-API-Key: ${world.key['X-API-Key']}`;
const send = (method: string, headers: readonly string[], text = '', target = '/v1/applications') =>
  world.harmless(
    () => rawRequest(world.service.url, method, target, { headers, body: text }),
    (answer) => JSON.stringify(answer.body),
  );
const rawPost = (headers: readonly string[]) =>
  send('POST', [...headers, `Content-Length: ${Buffer.byteLength(body)}`], body);

describe('a content type', () => {
  it.each([
    'application',
    'json',
    'application/',
    '/json',
    'application/json/x',
    'application/json, text/plain',
    'application/json text/plain',
    'text/json',
    'text/plain',
    '*/*',
    'application/*',
    'application/jsonx',
    'application/x-json',
    'application/vnd.api+json',
    'application/merge-patch+json',
    'multipart/form-data; boundary=x',
    'application/x-www-form-urlencoded',
    'application/json; charset=latin1',
    'application/json; charset=utf-16',
    'application/json; charset="iso-8859-1"',
    'application/json; charset=x',
    'application/json;boundary=x; charset=utf-7',
    `${CANARY}/${CANARY}`,
    `application/${'x'.repeat(200)}`,
    '__proto__/constructor',
    ';',
    '   ',
  ])('is refused: %s', async (type) => {
    const answer = await rawPost([keyLine(), `Content-Type: ${type}`]);
    expect([answer.status, answer.body['code']]).toEqual([415, 'unsupported_media_type']);
  });

  it('is refused when it is missing', async () => {
    expect((await rawPost([keyLine()])).status).toBe(415);
  });

  it.each([
    'application/json',
    'APPLICATION/JSON',
    'application/json; charset=utf-8',
    'application/json;charset="UTF-8"',
    'Application/Json ; Charset=US-ASCII',
    'application/json; profile="a;b"',
  ])('is accepted: %s', async (type) => {
    const answer = await world.service.request('POST', '/v1/applications', {
      as: world.key,
      body,
      headers: { 'Content-Type': type },
    });
    expect(answer.status).toBe(201);
  });

  it('must be in one field', async () => {
    const answer = await rawPost([keyLine(), 'Content-Type: text/plain', 'Content-Type: application/json']);
    expect([answer.status, answer.body['code']]).toEqual([400, 'malformed_request']);
  });
});

describe('a content encoding', () => {
  it.each(['gzip', 'deflate', 'br', 'zstd', 'gzip, identity', CANARY])('is refused: %s', async (encoding) => {
    const answer = await rawPost([keyLine(), 'Content-Type: application/json', `Content-Encoding: ${encoding}`]);
    expect([answer.status, answer.body['code']]).toEqual([415, 'unsupported_media_type']);
  });
});

describe('an Authorization field', () => {
  it.each([
    'Bearer',
    'Bearer ',
    `Bearer ${CANARY}`,
    `Bearer ${CANARY}.${CANARY}`,
    `Bearer ${CANARY}.${CANARY}.${CANARY}`,
    `Bearer ${CANARY}.a.b.c`,
    `bearer  ${CANARY}.a.b`,
    `Basic ${CANARY}`,
    `Digest username="${CANARY}"`,
    `Bearer ${CANARY.repeat(1000)}.a.b`,
    `Bearer eyJhbGciOiJub25lIn0.e30.${CANARY}`,
    'Bearer ..',
    'Bearer null',
    'Bearer undefined',
    `Negotiate ${CANARY}`,
    ',',
    '\u00e7\u00e3o',
    `Bearer a.b.c, Bearer ${CANARY}`,
  ])('is refused when it is garbled: %s', async (authorization) => {
    const answer = await send('GET', [`Authorization: ${authorization}`]);
    expect([answer.status, answer.body['code']]).toEqual([401, 'token_invalid']);
    expect(answer.headers.get('www-authenticate')).toMatch(/^Bearer realm="api", error="invalid_token"/);
  });
});

describe('an X-API-Key field', () => {
  const shapes: readonly (readonly [string, (key: string) => string])[] = [
    ['empty', () => ''],
    ['no key', () => CANARY],
    ['a prefix alone', (key) => key.slice(0, 17)],
    ['cut', (key) => key.slice(0, -1)],
    ['longer', (key) => `${key}0`],
    ['in capitals', (key) => key.toUpperCase()],
    ['twice', (key) => `${key}, ${key}`],
    ['of another environment', (key) => key.replace('live', 'test')],
    ['with another secret', (key) => `${key.slice(0, 20)}${key[20] === 'a' ? 'b' : 'a'}${key.slice(21)}`],
    ['very long', (key) => key + CANARY.repeat(1000)],
    ['well formed and unknown', () => 'kyc_live_00000000_000000000000000000000000000000000000'],
    ['in the form of a token', () => 'eyJhbGciOiJub25lIn0.e30.AAAA'],
    ['in Latin-1', () => '\u00e7\u00e3o'],
  ];
  it.each(shapes)('is refused when it is %s', async (_, change) => {
    const answer = await send('GET', [`X-API-Key: ${change(world.key['X-API-Key'] ?? '')}`]);
    expect([answer.status, answer.body['code']]).toEqual([401, 'api_key_invalid']);
    expect(answer.headers.get('www-authenticate')).toContain('X-API-Key');
  });
});

describe('a field that is too large', () => {
  it.each([
    ['the URL', `/v1/applications?externalId=${CANARY.repeat(3000)}`, []],
    ['a field', '/v1/applications', [`X-Anything: ${CANARY.repeat(3000)}`]],
    ['many fields', '/v1/applications', Array.from({ length: 3000 }, (_, i) => `X-${i}: ${CANARY}`)],
  ] as const)('ends the connection with 431: %s', async (_, target, headers) => {
    const { status } = await send('GET', [keyLine(), ...headers], '', target);
    expect(status).toBe(431);
    expect((await fetch(`${world.service.url}/healthz`)).status).toBe(200);
  });
});
