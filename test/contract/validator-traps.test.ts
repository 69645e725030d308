/** Tests of validating parameters and answers, and of contracts that cannot be enforced. */
import { RequestValidator } from 'express-openapi-validator/dist/middlewares/openapi.request.validator.js';
import { ResponseValidator } from 'express-openapi-validator/dist/middlewares/openapi.response.validator.js';
import { describe, expect, it, vi } from 'vitest';
import { operations } from '../../server/contract/generated/operations.ts';
import type { Operation } from '../../server/contract/operation.ts';
import type { ContractNode } from '../../server/contract/pruned-contract.ts';
import { Validators } from '../../server/request/validate.ts';
import { compile, contractOf, input, json, verdict } from './fixture.ts';
import { runtimeContract } from './runtime-contract.ts';
import { text, object } from './validator-schemas.ts';

const query = (name: string, schema: ContractNode) => ({ name, in: 'query' as const, schema });

describe('parameters', () => {
  const validator = compile(
    contractOf(
      {
        parameters: [
          {
            name: 'id',
            in: 'path',
            required: true,
            schema: { $ref: '#/components/schemas/Id' },
          },
          query('limit', {
            type: 'integer',
            minimum: 1,
            maximum: 100,
            default: 25,
          }),
          query('flag', { type: 'boolean' }),
          query('status', { type: 'array', items: { $ref: '#/components/schemas/Status' }, uniqueItems: true }),
          query('since', { $ref: '#/components/schemas/Instant' }),
          { name: 'If-Match', in: 'header', schema: text({ maxLength: 5 }) },
        ],
      },
      {
        Id: text({ format: 'uuid' }),
        Status: text({ enum: ['draft', 'done'] }),
        Instant: text({ format: 'date-time' }),
      },
      '/v1/things/{id}',
      'get',
    ),
  );
  const id = '0197f2c8-5b1e-7d3a-a4c2-7e9b0d1f6a21';

  it('arrive with their types and defaults', () => {
    const request = input({
      params: { id },
      query: { flag: 'true', status: ['draft'], since: '2026-11-03T12:00:00Z' },
    });
    validator.request(request, null);
    expect(request.query).toEqual({
      limit: 25,
      flag: true,
      status: ['draft'],
      since: '2026-11-03T12:00:00Z',
    });
  });

  it('that are wrong are reported at the same time, under the name and case of the contract', () => {
    expect(
      verdict(
        validator,
        {
          params: { id: 'x' },
          query: {
            limit: '0',
            flag: 'maybe',
            status: ['gone'],
            since: '2026-13-03T12:00:00Z',
          },
          headers: { 'if-match': '"123456"' },
        },
        null,
      ).sort(),
    ).toEqual([
      'If-Match too_long',
      'flag type',
      'id format',
      'invalid_parameter',
      'limit too_small',
      'since format',
      'status enum',
    ]);
  });

  it.each(['', ' ', '1.5', '1e3', 'NaN', '101', '-1'])('%j is no limit', (limit) => {
    expect(verdict(validator, { params: { id }, query: { limit } }, null)[0]).toBe('invalid_parameter');
  });
});

describe('an answer', () => {
  const validator = compile(
    contractOf(
      {
        responses: {
          200: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Thing.response' } } } },
          204: {},
          206: { content: { 'image/png': { schema: text({ format: 'binary' }) } } },
        },
      },
      {
        'Thing.response': {
          type: 'object',
          unevaluatedProperties: false,
          required: ['id'],
          properties: { id: text(), at: { type: ['string', 'null'], format: 'date-time' }, note: text() },
        },
      },
    ),
  );
  const at = '2026-11-03T12:00:00.000Z';

  it('may have a nullable date, as text or null', () => {
    expect(validator.response(200, 'application/json', { id: 'a', at })).toBeNull();
    expect(validator.response(200, 'application/json', { id: 'a', at: null })).toBeNull();
  });

  it.each([
    [200, 'application/json', { id: 'a', at: new Date(at) }],
    [200, 'application/json', { id: 'a', secret: 1 }],
    [200, 'application/json', {}],
    [200, 'application/json', null],
    [200, null, undefined],
    [200, 'text/html', ''],
    [404, 'application/json', {}],
    [204, 'application/json', {}],
    [200, 'application/json', { id: { toJSON: () => 'a' } }],
  ])('%i %s %j breaks the contract', (status, mediaType, body) => {
    expect(validator.response(status, mediaType, body)).not.toBeNull();
  });

  it('may leave an optional member undefined', () => {
    expect(validator.response(200, 'application/json', { id: 'a', note: undefined })).toBeNull();
  });

  it('may be bytes where the contract says so, or nothing', () => {
    expect(validator.response(206, 'image/png', Buffer.alloc(1))).toBeNull();
    expect(validator.response(204, null, undefined)).toBeNull();
  });

  it('that breaks the contract is described by place and rule, never by value', () => {
    expect(JSON.stringify(validator.response(200, 'application/json', { id: 5, at: 'Maria da Silva' }))).not.toMatch(
      /Maria|5[^"]/,
    );
  });
});

describe('a contract that cannot be enforced stops the service at boot and says which operation', () => {
  const bad: readonly [string, Parameters<typeof contractOf>][] = [
    ['a schema that does not exist', [{ requestBody: json({ $ref: '#/components/schemas/Nobody' }) }]],
    [
      'a nested schema that does not exist',
      [
        { requestBody: json({ $ref: '#/components/schemas/A' }) },
        { A: object({ b: { $ref: '#/components/schemas/Nobody' } }) },
      ],
    ],
    ['a pattern that is no regular expression', [{ requestBody: json({ type: 'string', pattern: '(' }) }]],
    ['a type that does not exist', [{ requestBody: json({ type: 'strng' }) }]],
    ['an unknown format', [{ requestBody: json({ type: 'string', format: 'e-mail' }) }]],
    ['readOnly', [{ requestBody: json(object({ id: text({ readOnly: true }) })) }]],
    [
      'a broken response',
      [
        {
          responses: { 200: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Nobody' } } } } },
        },
      ],
    ],
    [
      'a union whose variants have no tag',
      [
        { requestBody: json({ $ref: '#/components/schemas/U' }) },
        { U: { oneOf: [{ $ref: '#/components/schemas/V' }], discriminator: { propertyName: 'kind' } }, V: object({}) },
      ],
    ],
  ];
  it.each(bad)('%s', (_, parts) => {
    expect(() => compile(contractOf(...parts))).toThrow(/^The contract of fixture cannot be enforced: ./);
  });

  it('an operation that the runtime contract lacks', () => {
    expect(() =>
      new Validators(contractOf({})).compile({
        operationId: 'other',
        path: '/v1/other',
        method: 'get',
      } as unknown as Operation),
    ).toThrow(/other cannot be enforced: .*GET \/v1\/other/);
  });
});

describe('the whole contract', () => {
  const all = Object.values(operations) as readonly Operation[];

  it('is compiled at boot, so that no first request pays for it', () => {
    const validators = new Validators(runtimeContract());
    const compiled = all.map((operation) => validators.compile(operation));
    const building = [
      vi.spyOn(RequestValidator.prototype as unknown as { buildMiddleware(): unknown }, 'buildMiddleware'),
      vi.spyOn(ResponseValidator.prototype, 'buildValidators'),
    ];
    for (const validator of compiled)
      for (const status of [400, 401, 403]) validator.response(status, 'application/problem+json', {});
    for (const build of building) expect(build).not.toHaveBeenCalled();
    vi.restoreAllMocks();
  });
});
