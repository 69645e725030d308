/** Tests of the limits of bodies that are computed from schemas. One that is too tight would refuse valid requests. */
import { describe, expect, it } from 'vitest';
import { bodyLimits } from './body-limits.ts';
import type { ApiModel } from './model.ts';
import type { Schema } from '../contract/contract.ts';

const limits = (schemas: Record<string, Schema>) => {
  const operations = [{ operationId: 'create', body: { kind: 'json', schemaName: 'Body' } }];
  const {
    bodyLimits: { create },
    shapes,
  } = bodyLimits({ operations, schemas } as unknown as ApiModel);
  return { bytes: create?.bytes, shapes };
};
const object = (properties: Record<string, Schema>, more: Schema = {}): Schema => ({
  type: 'object',
  additionalProperties: false,
  properties,
  ...more,
});
const ref = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` });

describe('the limits of a body', () => {
  it('have room for every valid body, each character of it escaped', () => {
    const text = (maxLength: number, more: Schema = {}) =>
      limits({ Body: object({ text: { type: 'string', maxLength, ...more } }) }).bytes ?? 0;
    expect(text(10_000)).toBeGreaterThan(120_000);
    expect(text(10_000, { pattern: '^[a-z0-9.-]+$' })).toBeGreaterThan(60_000);
    for (const ascii of [
      { pattern: '^[a-z0-9.-]+$' },
      { pattern: '^\\+[1-9][0-9]{6,14}$' },
      { pattern: '^[0-9A-Za-z./ -]+$' },
      { format: 'uuid' },
    ])
      expect(text(10_000, ascii)).toBeLessThan(65_000);
    for (const other of [
      { pattern: '^[^0-9]+$' },
      { pattern: '^.+$' },
      { pattern: '^\\S+$' },
      { pattern: '^[\\p{L}]+$' },
      { pattern: '^[\\u00c0-\\u00ff]+$' },
      { pattern: '^[a-zé]+$' },
      { pattern: '^[a-z\\s]+$' },
    ]) {
      expect(text(10_000, other)).toBeGreaterThan(120_000);
    }
  });

  it('are never tighter than a page of memory, which costs nothing', () => {
    expect(limits({ Body: object({}) }).bytes).toBe(4096);
  });

  it('multiply with the items of an array and the entries of a map', () => {
    const item = object({ text: { type: 'string', maxLength: 100 } });
    expect(
      limits({ Body: object({ all: { type: 'array', maxItems: 10, items: ref('Item') } }), Item: item }).bytes,
    ).toBeGreaterThan(12_000);
    const map: Schema = {
      type: 'object',
      maxProperties: 10,
      propertyNames: { maxLength: 100 },
      additionalProperties: { type: 'string', maxLength: 100 },
    };
    expect(limits({ Body: object({ all: ref('Map') }), Map: map }).bytes).toBeGreaterThan(24_000);
  });

  it('say what stands where, the most of any branch of a union', () => {
    expect(
      limits({
        Body: object({
          one: { oneOf: [ref('Item'), { type: 'null' }] },
          two: { anyOf: [ref('Item'), ref('List'), { type: 'string', maxLength: 9 }] },
          three: { allOf: [ref('Item'), ref('Other')] },
        }),
        Item: object({ kind: { type: 'string', enum: ['a', 'bbb'] }, size: { type: 'integer' } }),
        Other: object({ kind: { type: 'string', const: 'cccc' } }),
        List: { type: 'array', maxItems: 3, items: { type: 'boolean' } },
      }).shapes,
    ).toEqual({
      Body: {
        members: {
          one: 'Item',
          two: {
            text: 9,
            items: 3,
            each: {},
            members: { kind: { text: 3 }, size: {} },
          },
          three: { members: { kind: { text: 4 }, size: {} } },
        },
      },
      Item: { members: { kind: { text: 3 }, size: {} } },
    });
  });

  it('have an end where a schema holds itself within an object whose text is bounded', () => {
    const recursive = limits({
      Body: object({ rule: { oneOf: [ref('Expression'), { type: 'null' }] } }),
      Expression: object(
        { and: { type: 'array', maxItems: 9, items: ref('Argument') }, not: ref('Expression') },
        { 'x-max-bytes': 10_000 },
      ),
      Argument: object(
        { and: { type: 'array', maxItems: 9, items: ref('Argument') } },
        {
          type: ['object', 'array', 'string'],
          maxLength: 5,
          maxItems: 3,
          items: ref('Argument'),
        },
      ),
    });
    expect(recursive).toEqual({
      bytes: 10_240,
      shapes: {
        Body: { members: { rule: 'Expression' } },
        Expression: { members: { and: { items: 9, each: 'Argument' }, not: 'Expression' }, bytes: 10_000 },
        Argument: {
          text: 5,
          items: 3,
          each: 'Argument',
          members: { and: { items: 9, each: 'Argument' } },
        },
      },
    });
  });

  it('refer to unions and maps that hold themselves by a name', () => {
    const { shapes } = limits({
      Body: object({ rule: ref('Expression') }, { 'x-max-bytes': 9000 }),
      Expression: {
        oneOf: [
          { type: 'string', maxLength: 5 },
          { type: 'array', maxItems: 3, items: ref('Expression') },
          {
            type: 'object',
            maxProperties: 2,
            propertyNames: { maxLength: 9 },
            additionalProperties: ref('Expression'),
          },
          object({ not: ref('Expression') }),
        ],
      },
    });
    const { Body, ...others } = shapes;
    const [name = ''] = Object.keys(others);
    expect(Body).toEqual({ members: { rule: name }, bytes: 9000 });
    expect(others).toEqual({
      [name]: {
        text: 5,
        items: 3,
        entries: 2,
        each: name,
        members: { not: name },
      },
    });
  });

  it('are those of the schema if an object may have more bytes than its schema', () => {
    const body = (most: number) =>
      limits({ Body: object({ a: { type: 'string', maxLength: 1000 } }, { 'x-max-bytes': most }) }).bytes;
    expect(body(5000)).toBe(5120);
    expect(body(500_000)).toBe(body(600_000));
  });

  it.each([
    ['a text without a length', object({ a: { type: 'string' } }), /has no bound/],
    ['an array without a number of items', object({ a: { type: 'array', items: {} } }), /has no bound/],
    [
      'a map without a number of entries',
      { type: 'object', propertyNames: { maxLength: 1 }, additionalProperties: { type: 'boolean' } },
      /has no bound/,
    ],
    [
      'a map without a length of its names',
      { type: 'object', maxProperties: 1, additionalProperties: { type: 'boolean' } },
      /has no bound/,
    ],
    ['a schema that holds itself', object({ a: ref('Body') }), /holds itself/],
    [
      'variants of which one has a bounded text',
      object({ a: { oneOf: [object({}, { 'x-max-bytes': 99 }), object({ b: { type: 'boolean' } })] } }),
      /differ in their `x-max-bytes`/,
    ],
    ['more than a mebibyte', object({ a: { type: 'string', maxLength: 100_000 } }), /tighten the bounds of Body/],
  ] as [string, Schema, RegExp][])('cannot be made of %s', (_, Body, message) => {
    expect(() => limits({ Body })).toThrow(message);
  });
});
