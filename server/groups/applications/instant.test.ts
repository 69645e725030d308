import { describe, expect, it } from 'vitest';
import { parseInstant, timeOfChange } from './instant.ts';

describe('an instant', () => {
  it.each([
    ['2026-11-03T12:10:00Z', '2026-11-03T12:10:00.000Z'],
    ['2026-11-03t12:10:00.5z', '2026-11-03T12:10:00.500Z'],
    ['2026-11-03T12:10:00.123456789-03:00', '2026-11-03T15:10:00.123Z'],
    ['2026-11-03 12:10:00+23:59', '2026-11-02T12:11:00.000Z'],
    ['2016-12-31T23:59:60Z', '2017-01-01T00:00:00.000Z'],
    ['2016-12-31T20:59:60.25-03:00', '2017-01-01T00:00:00.250Z'],
    ['0000-01-01T00:00:00Z', '0000-01-01T00:00:00.000Z'],
  ])('%s is %s', (text, expected) => expect(parseInstant('createdAfter', text).toISOString()).toBe(expected));

  it('is refused when no offset can be read', () => {
    expect(() => parseInstant('createdAfter', '2026-11-03T12:10:00+00')).toThrow('invalid_parameter');
  });
});

describe('the time of a change', () => {
  const before = '2026-11-03T12:10:00.000Z';
  it('is now', () => expect(timeOfChange(new Date('2026-11-03T12:11:00Z'), before)).toBe('2026-11-03T12:11:00.000Z'));
  it('is after the change before, even when the clock is not', () => {
    for (const now of [before, '2026-11-03T12:09:00Z']) expect(timeOfChange(new Date(now), before)).toBe('2026-11-03T12:10:00.001Z');
  });
});
