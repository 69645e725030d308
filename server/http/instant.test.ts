import { describe, expect, it } from 'vitest';
import { instantParameter, readInstant } from './instant.ts';

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

  it('is none when no offset can be read', () => expect(readInstant('2026-11-03T12:10:00+00')).toBeNull());

  it('of a query may be absent, and is refused when it is none', () => {
    expect(instantParameter('createdAfter', undefined)).toBeUndefined();
    expect(() => instantParameter('createdAfter', '2026-11-03T12:10:00+00')).toThrow('invalid_parameter');
  });
});
