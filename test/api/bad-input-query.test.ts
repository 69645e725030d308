/** API tests of wrong queries and paths. */
import { describe, expect, it } from 'vitest';
import { exampleCall } from '../support/calls.ts';
import { everyOperation, hasPathParameters, parametersOf } from '../support/contract.ts';
import { scopesOf } from '../support/credentials.ts';
import { rawRequest } from '../support/raw.ts';
import { shared } from '../support/service.ts';
import { CANARY, startBadInputWorld } from './bad-input-world.ts';

const world = await shared(startBadInputWorld());

describe('a query that is wrong', () => {
  it.each([
    ['colour=blue', 'unknown_parameter', 'colour', 'unknown_parameter'],
    ['Limit=1', 'unknown_parameter', 'Limit', 'unknown_parameter'],
    ['=1', 'unknown_parameter', '', 'unknown_parameter'],
    ['status[]=draft', 'unknown_parameter', 'status[]', 'unknown_parameter'],
    ['status[0]=draft', 'unknown_parameter', 'status[0]', 'unknown_parameter'],
    ['filter[$gt]=', 'unknown_parameter', 'filter[$gt]', 'unknown_parameter'],
    ['__proto__=1', 'unknown_parameter', '__proto__', 'unknown_parameter'],
    ['constructor=1', 'unknown_parameter', 'constructor', 'unknown_parameter'],
    ['hasOwnProperty=1', 'unknown_parameter', 'hasOwnProperty', 'unknown_parameter'],
    ['limit=1&limit=2', 'invalid_parameter', 'limit', 'repeated'],
    ['limit=', 'invalid_parameter', 'limit', 'empty'],
    ['limit', 'invalid_parameter', 'limit', 'empty'],
    ['externalId=', 'invalid_parameter', 'externalId', 'empty'],
    ['limit=0', 'invalid_parameter', 'limit', 'too_small'],
    ['limit=101', 'invalid_parameter', 'limit', 'too_large'],
    ['limit=1.5', 'invalid_parameter', 'limit', 'type'],
    ['limit=0x10', 'invalid_parameter', 'limit', 'type'],
    ['limit=%201', 'invalid_parameter', 'limit', 'type'],
    ['limit=true', 'invalid_parameter', 'limit', 'type'],
    [`limit=${CANARY}`, 'invalid_parameter', 'limit', 'type'],
    [`status=${CANARY}`, 'invalid_parameter', 'status', 'enum'],
    ['status=draft,in_review', 'invalid_parameter', 'status', 'enum'],
    ['status=draft&status=draft', 'invalid_parameter', 'status', 'duplicate_item'],
    ['level=highest', 'invalid_parameter', 'level', 'enum'],
    ['environment=prod', 'invalid_parameter', 'environment', 'enum'],
    ['sort=name', 'invalid_parameter', 'sort', 'enum'],
    ['sort=createdAt&sort=-createdAt', 'invalid_parameter', 'sort', 'repeated'],
    ['createdAfter=yesterday', 'invalid_parameter', 'createdAfter', 'format'],
    ['createdAfter=2026-13-01T00:00:00Z', 'invalid_parameter', 'createdAfter', 'format'],
    ['createdAfter=2026-11-01', 'invalid_parameter', 'createdAfter', 'format'],
    ['createdAfter=1793750400', 'invalid_parameter', 'createdAfter', 'format'],
    ['taxId=529_982_247_25', 'invalid_parameter', 'taxId', 'pattern'],
    [`externalId=${CANARY.padEnd(129, 'x')}`, 'invalid_parameter', 'externalId', 'too_long'],
    ['externalId=a%07b', 'invalid_parameter', 'externalId', 'pattern'],
    [`cursor=${'A'.repeat(513)}`, 'invalid_parameter', 'cursor', 'too_long'],
  ])('is refused by the name of its parameter: %s', async (query, code, parameter, error) => {
    const answer = await world.refused('GET', `/v1/applications?${query}`);
    expect([answer.status, answer.body.code]).toEqual([400, code]);
    expect(answer.body.errors).toContainEqual({ parameter, code: error, message: expect.any(String) });
  });

  it.each([
    ['limit=%', 'limit'],
    ['limit=%Z1', 'limit'],
    ['limit=%C3', 'limit'],
    ['limit=%FF', 'limit'],
    ['limit=%ED%A0%80', 'limit'],
    ['externalId=a%00b', 'externalId'],
    ['%FF=1', undefined],
    ['%00=1', undefined],
    ['limit%', undefined],
  ])('is refused when it is not percent-encoded UTF-8: %s', async (query, parameter) => {
    const answer = await world.refused('GET', `/v1/applications?${query}`);
    expect([answer.status, answer.body.code]).toEqual([400, 'invalid_parameter']);
    expect(answer.body.errors).toEqual([
      {
        ...(parameter !== undefined && { parameter }),
        code: 'encoding',
        message: expect.stringContaining('percent-encoded UTF-8'),
      },
    ]);
  });

  it('names everything unknown at once, with names cut short', async () => {
    const names = Array.from({ length: 150 }, (_, i) => `p${i}`);
    const { body } = await world.refused('GET', `/v1/applications?${names.join('&')}`);
    expect(body.errors?.map(({ parameter }) => parameter)).toEqual(names.slice(0, 100));
    const long = await world.refused('GET', `/v1/applications?${'x'.repeat(5000)}=1`);
    expect(long.body.errors).toEqual([expect.objectContaining({ parameter: 'x'.repeat(100) })]);
  });

  it('names everything invalid at once', async () => {
    const { body } = await world.refused('GET', '/v1/applications?limit=0&sort=name&level=x&createdAfter=y');
    expect(body.errors?.map(({ parameter }) => parameter).sort()).toEqual(['createdAfter', 'level', 'limit', 'sort']);
  });

  it.each([`tomorrow`, 'AAAA', 'A'.repeat(512), '../../etc/passwd', '%27%20OR%201=1--'])(
    'is refused with a cursor that was never issued: %s',
    async (cursor) => {
      for (const path of ['/v1/applications', '/v1/settings/api-keys']) {
        const answer = await world.refused('GET', `${path}?cursor=${cursor}`);
        expect([answer.status, answer.body.code]).toEqual([400, 'invalid_cursor']);
      }
    },
  );

  it.each(['', '?', '?&', '?&&limit=1&'])('is not treated as empty: %s', async (query) => {
    const { status } = await world.service.request('GET', `/v1/applications${query}`, { as: world.key });
    expect(status).toBe(200);
  });
});

describe('a path that is wrong', () => {
  const byKey = everyOperation.filter(
    (operation) => hasPathParameters(operation) && scopesOf(operation, 'apiKey').length > 0,
  );
  const parameters = byKey.flatMap((operation) =>
    parametersOf(operation)
      // Any short text may be the key of a reference list.
      .filter((parameter) => parameter.in === 'path' && parameter.name !== 'listId')
      .map(({ name }) => ({ operation, id: operation.operationId, name })),
  );

  it.each(parameters)('$id names $name', async ({ operation, name }) => {
    for (const value of ['42', CANARY, '0197f2c8-5b1e-7d3a-a4c2-7e9b0d1f6a2', "' OR 1=1", 'ção', 'a/b']) {
      const { method, path, call } = exampleCall(operation, { [name]: value });
      const answer = await world.refused(method, path, call);
      expect([answer.status, answer.body.code]).toEqual([400, 'invalid_parameter']);
      expect(answer.body.errors?.map((error) => error.parameter)).toContain(name);
      const patterned = ['prefix', 'number'].includes(name);
      expect(answer.body.errors?.map((error) => error.code)).toContain(patterned ? 'pattern' : 'format');
    }
  });

  it.each(parameters)('requires $name of $id in percent-encoded UTF-8', async ({ operation, name }) => {
    for (const value of ['%FF', '%C3', '%ED%A0%80', '%ZZ', '%']) {
      const { method, path, call } = exampleCall(operation, { [name]: 'HERE' });
      const answer = await world.refused(method, path.replace('HERE', value), call);
      expect([answer.status, answer.body.code, answer.body.errors]).toEqual([
        400,
        'invalid_parameter',
        [{ parameter: name, code: 'encoding', message: expect.any(String) }],
      ]);
    }
  });

  it.each([
    '/v1/applications/',
    '/v1//applications',
    '//v1/applications',
    '/V1/applications',
    '/v1/Applications',
    '/v1/applications;jsessionid=1',
    '/v1/applications/..',
    '/v1/./applications',
    '/v1/sandbox/../applications',
    '/v1/applications%2f',
    '/v1/applicationsx',
    '/v2/applications',
    '/v1/%61pplications',
    '/v1/applications/0197f2c8-5b1e-7d3a-a4c2-7e9b0d1f6a21/',
    '/%00',
    '/%',
    '/v1/settings/api-keys/',
    '/oauth/token/',
    '/__proto__',
    '/v1/constructor',
    `/${'a/'.repeat(3000)}`,
  ])('leads nowhere: %s', async (target) => {
    const key = world.key['X-API-Key'] ?? '';
    const { status, headers, body } = await world.harmless(
      () => rawRequest(world.service.url, 'GET', target, { headers: [`X-API-Key: ${key}`] }),
      (answer) => JSON.stringify(answer.body),
    );
    expect(headers.get('content-type')).toBe('application/problem+json');
    expect([
      [404, 'not_found'],
      [400, 'invalid_parameter'],
    ]).toContainEqual([status, body['code']]);
    expect(headers.get('x-request-id')).toBe(body['requestId']);
  });
});
