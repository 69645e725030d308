/** Tests of the durations of timers: their limits, and days, months and years by the calendar of São Paulo. */
import { describe, expect, it } from 'vitest';
import { type BusinessTimestamp, readBusinessTime } from '../base/time.ts';
import { after, readCycle, readDuration } from './durations.ts';

const at = (text: string) => readBusinessTime(text as BusinessTimestamp);
const later = (from: string, duration: string): string => after(at(from), readDuration(duration)!).toISOString();

describe('A duration', () => {
  it.each(['PT1S', 'P10Y', 'P120M', 'P9Y11M30D', 'P521W', 'P3652D', 'PT87600H'])('may be %s', (text) => {
    expect(readDuration(text)).not.toBeNull();
  });

  it.each(['PT0S', 'PT0.5S', 'P11Y', 'P10Y2M', 'P3700D', 'P', 'PT', 'P1Y2', '1D', '-P1D', 'P1D ', 'p1d'])(
    'is not %s',
    (text) => {
      expect(readDuration(text)).toBeNull();
    },
  );

  it('of ten years ends on the same day ten years later', () => {
    expect(later('2026-11-27T15:00:00.000Z', 'P10Y')).toBe('2036-11-27T15:00:00.000Z');
  });

  it('of months ends on the last day of a month that is shorter', () => {
    expect(later('2026-01-31T15:00:00.000Z', 'P1M')).toBe('2026-02-28T15:00:00.000Z');
  });

  it.each([
    ['P1D', '2018-11-03T15:00:00.000Z', '2018-11-04T14:00:00.000Z'],
    ['P1D', '2019-02-16T14:00:00.000Z', '2019-02-17T15:00:00.000Z'],
    ['PT24H', '2018-11-03T15:00:00.000Z', '2018-11-04T15:00:00.000Z'],
  ])('of %s from %s ends at %s, where summer time begins or ends', (duration, from, to) => {
    expect(later(from, duration)).toBe(to);
  });
});

describe('A repetition', () => {
  it.each([
    ['R3/P7D', 3],
    ['R/PT1H', null],
  ])('may be %s', (text, times) => {
    expect(readCycle(text)).toMatchObject({ times });
  });

  it.each(['R/PT0S', 'R3/P11Y', 'R-1/P1D', 'R3', 'P7D', 'R99999/P1D'])('is not %s', (text) => {
    expect(readCycle(text)).toBeNull();
  });
});
