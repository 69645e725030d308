/** Test of every operation with the parts of HTTP that all share: media types, request ids, HEAD, unknown methods. */
import { describe, expect, it } from 'vitest';
import type { Operation } from '../../server/contract/operation.ts';
import { bodyLimitsOf } from '../../server/request/body-limits.ts';
import { callExample, exampleCall, expectDocumented, send, validCall } from '../support/calls.ts';
import { everyOperation, takesBody } from '../support/contract.ts';
import { credentialOf } from '../support/credentials.ts';
import { useService, type Answer } from '../support/service.ts';

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];
const MAX_FILE = 15 * 1024 * 1024;
const REQUEST_ID = '0197f2d1-77aa-7c11-8e21-5f4b3a2c1d00';

const service = await useService();

/** Expects a refusal; the token endpoint answers every such mistake with 400 and the error codes of RFC 6749. */
function expectRefused(operation: Operation, answer: Answer, status: number, code: string): void {
  const speaksOAuth = operation.responses['400']?.includes('application/json');
  expect([answer.status, speaksOAuth ? (answer.body as unknown as { error: string }).error : answer.body.code]).toEqual(
    speaksOAuth ? [400, 'invalid_request'] : [status, code],
  );
  expectDocumented(operation, answer);
}

const answering = everyOperation.filter(({ responses }) =>
  Object.entries(responses).some(([status, types]) => status.startsWith('2') && types.length > 0),
);

describe('the media type of the answer', () => {
  it.each(answering)('cannot be one that $operationId does not have', async (operation) => {
    expectRefused(
      operation,
      await callExample(service, operation, { headers: { Accept: 'text/html' } }),
      406,
      'not_acceptable',
    );
  });

  it.each(answering)('may be refused by name: $operationId', async (operation) => {
    const types = Object.entries(operation.responses)
      .filter(([status]) => status.startsWith('2'))
      .flatMap(([, offered]) => offered);
    const Accept = ['*/*', ...types.map((type) => `${type};q=0`)].join(', ');
    expectRefused(operation, await callExample(service, operation, { headers: { Accept } }), 406, 'not_acceptable');
  });
});

describe('the media type of the body', () => {
  const taking = everyOperation.filter(takesBody);

  it.each(taking)('must be one that $operationId accepts', async (operation) => {
    const answer = await callExample(service, operation, { body: 'a,b', headers: { 'Content-Type': 'text/csv' } });
    expectRefused(operation, answer, 415, 'unsupported_media_type');
  });

  it.each(taking)('must be named: $operationId', async (operation) => {
    const as = await credentialOf(service.acme, operation);
    const answer = await service.request(operation.method.toUpperCase(), exampleCall(operation).path, {
      as,
      body: Buffer.from('{}'),
    });
    expectRefused(operation, answer, 415, 'unsupported_media_type');
  });

  it.each(taking)('cannot be compressed: $operationId', async (operation) => {
    const answer = await callExample(service, operation, { headers: { 'Content-Encoding': 'gzip' } });
    expectRefused(operation, answer, 415, 'unsupported_media_type');
  });

  it.each(taking)('does not excuse a body that is too large: $operationId', async (operation) => {
    const [type = ''] = operation.requestTypes;
    const [size, code, parameters] =
      type === 'multipart/form-data'
        ? ([MAX_FILE + 256 * 1024, 'file_too_large', '; boundary=x'] as const)
        : ([(bodyLimitsOf(operation.operationId)?.bytes ?? 0) + 1, 'payload_too_large', ''] as const);
    const answer = await callExample(service, operation, {
      body: Buffer.alloc(size, ' '),
      headers: { 'Content-Type': type + parameters },
    });
    expectRefused(operation, answer, 413, code);
  });
});

describe('the query', () => {
  it.each(everyOperation)('accepts no unknown parameter: $operationId', async (operation) => {
    const answer = await callExample(service, operation, { query: '?colour=blue' });
    expectRefused(operation, answer, 400, 'unknown_parameter');
    if (answer.body.code !== undefined)
      expect(answer.body.errors).toEqual([
        { parameter: 'colour', code: 'unknown_parameter', message: expect.any(String) },
      ]);
    expect(answer.text).not.toContain('blue');
  });
});

describe('the request id', () => {
  it.each(everyOperation)('is the one that the client sent: $operationId', async (operation) => {
    const answer = await callExample(service, operation, {
      headers: { 'X-Request-Id': REQUEST_ID },
      query: '?colour=blue',
    });
    expect(answer.headers.get('x-request-id')).toBe(REQUEST_ID);
    if (answer.body.code !== undefined)
      expect([answer.body.requestId, answer.body.instance]).toEqual([REQUEST_ID, `urn:uuid:${REQUEST_ID}`]);
  });

  it.each(['no-uuid', '0197f2d1-77aa-7c11-8e21-5f4b3a2c1d0z', `${REQUEST_ID}${REQUEST_ID}`])(
    'is created if the client sent %s',
    async (sent) => {
      const { headers } = await service.request('GET', '/v1/sandbox', { headers: { 'X-Request-Id': sent } });
      expect(headers.get('x-request-id')).toMatch(
        /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
      );
    },
  );
});

describe('HEAD', () => {
  it.each(everyOperation.filter(({ method }) => method === 'get'))(
    'is GET without a body: $operationId',
    async (operation) => {
      const valid = await validCall(service, service.acme, operation);
      const got = await send(service, valid);
      const head = await send(service, { ...valid, method: 'HEAD' });
      expect([got.status, head.status, head.text]).toEqual([200, 200, '']);
      const changing = new Set([
        'x-request-id',
        'date',
        'ratelimit',
        'x-poll-interval',
        'x-next-poll-at',
        'connection',
        'keep-alive',
        'transfer-encoding',
      ]);
      // Reading the log adds an event, so the length of the answer changes.
      if (operation.auditEvents.length > 0) changing.add('content-length');
      const lasting = (answer: Pick<Answer, 'headers'>) => [...answer.headers].filter(([name]) => !changing.has(name));
      expect(lasting(head)).toEqual(lasting(got));
    },
  );
});

describe('a method that a path does not have', () => {
  const paths = Map.groupBy(everyOperation, ({ path }) => path);

  it.each(
    [...paths].flatMap(([path, operations]) =>
      METHODS.filter((method) => operations.every((operation) => operation.method.toUpperCase() !== method)).map(
        (method) => ({ path, method, operations }),
      ),
    ),
  )('is refused with those that it has: $method $path', async ({ path, method, operations }) => {
    const answer = await service.request(method, path.replace(/\{\w+\}/g, 'x'));
    if (operations.every(({ sealed }) => sealed.length > 0)) {
      // The methods of a sealed path are told to nobody.
      expect([answer.status, answer.body.code, answer.headers.get('allow')]).toEqual([404, 'not_found', null]);
      return;
    }
    expect([answer.status, answer.body.code]).toEqual([405, 'method_not_allowed']);
    const allowed = operations.flatMap((operation) =>
      operation.method === 'get' ? ['GET', 'HEAD'] : [operation.method.toUpperCase()],
    );
    expect(answer.headers.get('allow')?.split(', ').sort()).toEqual(allowed.sort());
  });
});

describe('an operation that answers nothing', () => {
  it.each(everyOperation.filter((operation) => !answering.includes(operation)))(
    'ignores the Accept field: $operationId',
    async (operation) => {
      const answer = await send(service, await validCall(service, service.acme, operation), {
        headers: { Accept: 'text/csv' },
      });
      expect(answer.status).toBe(204);
    },
  );
});
