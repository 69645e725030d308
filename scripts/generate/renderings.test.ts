/** Tests of the contract as OpenAPI 3.0 and as JSON. */
import { describe, expect, it } from 'vitest';
import type { Contract, Schema } from '../contract/contract.ts';
import { openapi30, openapi31, schema30 } from './renderings.ts';

const contract = {
  openapi: '3.1.1',
  info: {
    title: 'Things',
    version: '1.0.0',
    summary: 'Things.',
    license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
  },
  paths: {
    '/v1/things': {
      get: {
        operationId: 'listThings',
        tags: ['things'],
        summary: 'List',
        description: 'All things.',
        'x-roles': ['owner'],
        security: [{ bearerAuth: ['read'] }, { oauth2: ['read'] }],
        responses: {
          200: {
            description: 'Things.',
            content: {
              'application/json': {
                schema: { $ref: '#/components/schemas/Thing' },
                examples: { one: { value: { 'x-of': 'data' } } },
              },
            },
          },
        },
      },
    },
  },
  components: {
    schemas: {
      Thing: {
        type: 'object',
        properties: {
          only: { type: 'boolean', const: true },
          kind: { type: 'string', const: 'thing' },
          value: {
            type: ['string', 'number', 'null'],
            maxLength: 5,
            minimum: 0,
            'x-pii': true,
          },
        },
      },
      Name: { type: 'string', maxLength: 8, 'x-pii': true },
      Sort: { type: 'string', enum: ['createdAt', '-createdAt'] },
    },
  },
} as unknown as Contract;

const said = (schema: Schema): unknown => schema30(contract, schema);

describe('a schema in OpenAPI 3.0', () => {
  it.each<[string, Schema, unknown]>([
    [
      'a type that may be null',
      { type: ['string', 'null'], maxLength: 3 },
      { type: 'string', nullable: true, maxLength: 3 },
    ],
    [
      'a scalar that may be null',
      { oneOf: [{ $ref: '#/components/schemas/Name' }, { type: 'null' }], description: 'A name.' },
      {
        type: 'string',
        maxLength: 8,
        description: 'A name.',
        nullable: true,
      },
    ],
    [
      'an object that may be null',
      { oneOf: [{ $ref: '#/components/schemas/Thing' }, { type: 'null' }] },
      { type: 'object', allOf: [{ $ref: '#/components/schemas/Thing' }], nullable: true },
    ],
    [
      'an enumeration with a description',
      { $ref: '#/components/schemas/Sort', description: 'The order.' },
      { type: 'string', allOf: [{ $ref: '#/components/schemas/Sort' }], description: 'The order.' },
    ],
    ['a reference alone', { $ref: '#/components/schemas/Name' }, { $ref: '#/components/schemas/Name' }],
    [
      'several types, each with its bounds',
      {
        type: ['string', 'number', 'boolean', 'null'],
        maxLength: 5,
        minimum: 0,
        description: 'A value.',
      },
      {
        description: 'A value.',
        oneOf: [
          { type: 'string', nullable: true, maxLength: 5 },
          { type: 'number', format: 'double', minimum: 0 },
          { type: 'boolean' },
        ],
      },
    ],
    ['a constant', { type: 'boolean', const: true }, { type: 'boolean', enum: [true] }],
    [
      'an enumeration that may be null',
      { type: ['string', 'null'], enum: ['a', null] },
      { type: 'string', nullable: true, enum: ['a', null] },
    ],
    [
      'names of members',
      { type: 'object', propertyNames: { pattern: '^a' }, additionalProperties: { type: ['integer', 'null'] } },
      {
        type: 'object',
        'x-property-names': { pattern: '^a' },
        additionalProperties: { type: 'integer', nullable: true },
      },
    ],
    ['examples', { type: 'string', examples: ['one', 'two'] }, { type: 'string', example: 'one' }],
    [
      'members called as keywords and extensions are',
      { type: 'object', properties: { const: { type: 'string' }, 'x-of': { type: 'string' } } },
      { type: 'object', properties: { const: { type: 'string' }, 'x-of': { type: 'string' } } },
    ],
  ])('says %s', (_, schema, expected) => {
    expect(said(schema)).toEqual(expected);
  });

  it.each([
    'not',
    'if',
    'prefixItems',
    'contains',
    'patternProperties',
    'dependentRequired',
    'exclusiveMinimum',
    'contentEncoding',
  ])('does not drop `%s` in silence', (keyword) => {
    expect(() => said({ [keyword]: {} } as Schema)).toThrow(`OpenAPI 3.0 has no keyword \`${keyword}\``);
  });
});

describe('a contract in OpenAPI 3.0', () => {
  const rendered = JSON.parse(JSON.stringify(openapi30(contract))) as {
    openapi: string;
    info: object;
    paths: Record<string, Record<string, object>>;
    components: { schemas: Record<string, object> };
  };

  it('has no words that 3.0 does not know', () => {
    expect(rendered.openapi).toBe('3.0.3');
    expect(rendered.info).toEqual({ title: 'Things', version: '1.0.0', license: { name: 'Apache-2.0' } });
  });

  it('asks for scopes with OAuth alone, says them in words, and leaves out extensions but not data', () => {
    expect(rendered.paths['/v1/things']?.['get']).toEqual({
      operationId: 'listThings',
      tags: ['things'],
      summary: 'List',
      description: 'All things.\n\nScope: `read`.',
      security: [{ bearerAuth: [] }, { oauth2: ['read'] }],
      responses: {
        200: {
          description: 'Things.',
          content: {
            'application/json': {
              schema: { $ref: '#/components/schemas/Thing' },
              examples: { one: { value: { 'x-of': 'data' } } },
            },
          },
        },
      },
    });
  });

  it('names the constants of enumerations apart from each other', () => {
    expect(rendered.components.schemas['Sort']).toEqual({
      type: 'string',
      enum: ['createdAt', '-createdAt'],
      'x-enum-varnames': ['SORT_CREATED_AT', 'SORT_DESCENDING_CREATED_AT'],
    });
  });
});

describe('the contract as JSON', () => {
  it('is what was written, but for boolean constants, several types and the names of constants', () => {
    const { Thing, Sort, ...others } = contract.components.schemas!;
    expect(openapi31(contract)).toEqual({
      ...contract,
      components: {
        schemas: {
          ...others,
          Thing: {
            ...Thing,
            properties: {
              only: { type: 'boolean', not: { const: false } },
              kind: { type: 'string', const: 'thing' },
              value: {
                'x-pii': true,
                oneOf: [
                  { type: ['string', 'null'], maxLength: 5 },
                  { type: 'number', minimum: 0 },
                ],
              },
            },
          },
          Sort: { ...Sort, 'x-enum-varnames': ['SORT_CREATED_AT', 'SORT_DESCENDING_CREATED_AT'] },
        },
      },
    });
  });
});
