/** Tests of validating bodies with schemas made for the test. */
import { describe, expect, it } from 'vitest';
import { Problem } from '../../server/contract/problem.ts';
import { compile, contractOf, input, json, verdict } from './fixture.ts';
import { text, object } from './validator-schemas.ts';

describe('a request body', () => {
  const validator = compile(
    contractOf(
      {
        requestBody: json({ $ref: '#/components/schemas/Order' }),
      },
      {
        Order: object(
          {
            name: text({ minLength: 2, maxLength: 5 }),
            size: { type: 'integer', minimum: 1, maximum: 9 },
            kind: text({ enum: ['a', 'b'] }),
            code: text({ pattern: '^[A-Z]+$' }),
            at: text({ format: 'date-time' }),
            on: { type: ['string', 'null'], format: 'date' },
            tags: {
              type: 'array',
              maxItems: 2,
              uniqueItems: true,
              items: text(),
            },
            address: { oneOf: [{ $ref: '#/components/schemas/Address' }, { type: 'null' }] },
            flag: { type: 'boolean', default: true },
            metadata: {
              type: 'object',
              maxProperties: 2,
              propertyNames: { pattern: '^[a-z]+$' },
              additionalProperties: { type: ['string', 'number'] },
            },
          },
          { required: ['name'] },
        ),
        Address: object(
          {
            city: text({ maxLength: 3 }),
            lines: { type: 'array', items: object({ text: text() }, { required: ['text'] }) },
          },
          { required: ['city'] },
        ),
      },
    ),
  );

  it('that breaks many rules is answered with all of them at once, each with a pointer and a stable code', () => {
    expect(
      verdict(validator, {
        body: {
          name: 'x',
          size: 0,
          kind: 'c',
          code: 'x',
          at: 'yesterday',
          on: '1990-13-01',
          tags: ['a', 'a', 'b'],
          address: { city: 'long', lines: [{}, { text: 1 }] },
          flag: 1,
          metadata: { A: 'x' },
          more: 1,
          'a/b~c': 2,
        },
      }).sort(),
    ).toEqual([
      '/address/city too_long',
      '/address/lines/0/text required',
      '/address/lines/1/text type',
      '/at format',
      '/a~1b~0c unknown_field',
      '/code pattern',
      '/flag type',
      '/kind enum',
      '/metadata/A member_name',
      '/more unknown_field',
      '/name too_short',
      '/on format',
      '/size too_small',
      '/tags duplicate_item',
      '/tags too_many_items',
      'validation_failed',
    ]);
  });

  it('never finds its values repeated in an error', () => {
    const secret = 'Maria-da-Silva-52998224725';
    let told: unknown;
    try {
      validator.request(
        input({
          body: {
            name: secret,
            size: secret,
            kind: secret,
            code: secret,
            at: secret,
            on: secret,
            tags: secret,
            address: secret,
            flag: secret,
            metadata: secret,
          },
        }),
        'application/json',
      );
    } catch (error) {
      told = error;
    }
    expect(told).toBeInstanceOf(Problem);
    expect(JSON.stringify(told)).not.toContain(secret);
  });

  it('is not coerced', () => {
    expect(verdict(validator, { body: { name: 'abc', size: '5', flag: 'true' } })).toEqual([
      'validation_failed',
      '/size type',
      '/flag type',
    ]);
  });

  it('gets its defaults', () => {
    const request = input({ body: { name: 'abc' } });
    validator.request(request, 'application/json');
    expect(request.body).toEqual({ name: 'abc', flag: true });
  });

  it('may clear what is nullable', () => {
    expect(verdict(validator, { body: { name: 'abc', on: null, address: null } })).toEqual(['accepted']);
    expect(verdict(validator, { body: { name: null } })).toEqual(['validation_failed', '/name type']);
  });

  it.each([[null], [[]], ['text'], [5], [true]])('that is %j instead of an object is refused', (body) => {
    expect(verdict(validator, { body })).toEqual(['validation_failed', ' type']);
  });

  it('cannot smuggle numbers that JSON cannot represent', () => {
    expect(verdict(validator, { body: { name: 'abc', size: JSON.parse('1e400') as number } })).toEqual([
      'validation_failed',
      '/size type',
    ]);
  });

  it('is answered with a hundred errors at most', () => {
    const body = Object.fromEntries(Array.from({ length: 500 }, (_, n) => [`unknown${n}`, 1]));
    expect(verdict(validator, { body })).toHaveLength(101);
  });
});

describe('a discriminated union', () => {
  const variant = (kind: string, member: string) =>
    object({ kind: { const: kind }, [member]: text() }, { required: ['kind', member] });
  const schemas = {
    Payment: {
      oneOf: [{ $ref: '#/components/schemas/CardPayment' }, { $ref: '#/components/schemas/PixPayment' }],
      discriminator: { propertyName: 'kind' },
    },
    CardPayment: variant('card', 'number'),
    PixPayment: variant('pix', 'key'),
    Order: object({ payment: { $ref: '#/components/schemas/Payment' } }, { required: ['payment'] }),
  };

  it.each([
    ['at the top of a body', '#/components/schemas/Payment', (value: unknown) => value, ''],
    ['inside a body', '#/components/schemas/Order', (payment: unknown) => ({ payment }), '/payment'],
  ])('%s is distinguished by its tag, and only the right branch complains', (_, $ref, wrap, pointer) => {
    const validator = compile(contractOf({ requestBody: json({ $ref }) }, schemas));
    expect(verdict(validator, { body: wrap({ kind: 'pix', key: 'k' }) })).toEqual(['accepted']);
    expect(verdict(validator, { body: wrap({ kind: 'card', number: 'n' }) })).toEqual(['accepted']);
    expect(verdict(validator, { body: wrap({ kind: 'card', number: 5 }) })).toEqual([
      'validation_failed',
      `${pointer}/number type`,
    ]);
    expect(verdict(validator, { body: wrap({ kind: 'cash' }) })).toEqual([
      'validation_failed',
      `${pointer} unknown_variant`,
    ]);
    expect(verdict(validator, { body: wrap({}) })).toEqual(['validation_failed', `${pointer} unknown_variant`]);
    expect(verdict(validator, { body: wrap(null) })[0]).toBe('validation_failed');
  });
});
