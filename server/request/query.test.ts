/** Tests of reading query parameters. */
import { describe, expect, it } from 'vitest';
import { readInstant } from '../base/time.ts';
import { Problem } from '../contract/problem.ts';
import { instantParameter, QueryReader } from './query.ts';

const reader = new QueryReader([
  { name: 'limit', in: 'query', schema: { type: 'integer' } },
  { name: 'status', in: 'query', schema: { type: 'array', maxItems: 3 } },
  {
    name: 'cursor',
    in: 'query',
    schema: { type: 'string' },
    allowEmptyValue: true,
  },
  { name: 'since', in: 'query', schema: { type: 'string' } },
  { name: 'If-Match', in: 'header', schema: { type: 'string' } },
]);

const refusal = (search: string): string => {
  try {
    return JSON.stringify(reader.read(search));
  } catch (error) {
    const { code, members } = error as Problem;
    return `${code}: ${members.errors?.map((each) => `${each.parameter ?? ''} ${each.code}`).join(', ')}`;
  }
};

describe('the query reader', () => {
  it('reads declared parameters', () => {
    expect(reader.read('')).toEqual({});
    expect(reader.read('limit=5&status=draft&cursor=')).toEqual({ limit: '5', status: ['draft'], cursor: '' });
    expect(reader.read('status=a&&status=b')).toEqual({ status: ['a', 'b'] });
  });

  it('decodes values, and accepts characters unescaped that RFC 3986 allows', () => {
    expect(reader.read('since=2026-11-03T12:00:00Z&cursor=a%2Bb+c%C3%A9')).toEqual({
      since: '2026-11-03T12:00:00Z',
      cursor: 'a+b cé',
    });
    expect(reader.read('cursor=a=b')).toEqual({ cursor: 'a=b' });
  });

  it.each([
    ['page=2', 'unknown_parameter: page unknown_parameter'],
    ['Limit=2&limit=1', 'unknown_parameter: Limit unknown_parameter'],
    ['If-Match=x', 'unknown_parameter: If-Match unknown_parameter'],
    ['a=1&b=2&limit=', 'unknown_parameter: a unknown_parameter, b unknown_parameter'],
    ['status[]=draft', 'unknown_parameter: status[] unknown_parameter'],
    ['limit=1&limit=2', 'invalid_parameter: limit repeated'],
    ['limit=0x10', 'invalid_parameter: limit type'],
    ['limit=1e1', 'invalid_parameter: limit type'],
    ['limit=%201', 'invalid_parameter: limit type'],
    ['limit=', 'invalid_parameter: limit empty'],
    ['limit', 'invalid_parameter: limit empty'],
    ['since=%ff', 'invalid_parameter: since encoding'],
    ['__proto__=1', 'unknown_parameter: __proto__ unknown_parameter'],
  ])('refuses %j', (search, expected) => {
    expect(refusal(search)).toBe(expected);
  });

  it('repeats at most the beginning of a name', () => {
    expect(refusal(`${'x'.repeat(5000)}=1`).length).toBeLessThan(200);
  });
});

describe('an instant', () => {
  it.each([
    ['2026-11-03T12:10:00Z', '2026-11-03T12:10:00.000Z'],
    ['2026-11-03t12:10:00.5z', '2026-11-03T12:10:00.500Z'],
    ['2026-11-03T12:10:00.123456789-03:00', '2026-11-03T15:10:00.123Z'],
    ['2026-11-03 12:10:00+23:59', '2026-11-02T12:11:00.000Z'],
    ['2016-12-31T23:59:60Z', '2017-01-01T00:00:00.000Z'],
    ['2016-12-31T20:59:60.25-03:00', '2017-01-01T00:00:00.250Z'],
    ['0000-01-01T00:00:00Z', '0000-01-01T00:00:00.000Z'],
  ])('%s is %s', (text, expected) => expect(readInstant(text)?.toISOString()).toBe(expected));

  it('is invalid if its offset cannot be read', () => expect(readInstant('2026-11-03T12:10:00+00')).toBeNull());

  it('of a query may be absent, and is refused if it is invalid', () => {
    expect(instantParameter('createdAfter', undefined)).toBeUndefined();
    expect(() => instantParameter('createdAfter', '2026-11-03T12:10:00+00')).toThrow('invalid_parameter');
  });
});
