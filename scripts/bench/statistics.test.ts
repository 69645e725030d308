import { describe, expect, it } from 'vitest';
import { median, percentile, ratioByRound } from './statistics.ts';

describe('the statistics of the benchmark', () => {
  it('takes the middle value, and the mean of the middle two', () => {
    expect(median([9, 1, 5])).toBe(5);
    expect(median([4, 1, 3, 2])).toBe(2.5);
    expect(() => median([])).toThrow(RangeError);
  });

  it('takes percentiles by nearest rank', () => {
    const hundred = Float64Array.from({ length: 100 }, (_, index) => index + 1);
    expect(percentile(hundred, 0.99)).toBe(99);
    expect(percentile(hundred, 0.5)).toBe(50);
    expect(percentile(Float64Array.of(7), 0.99)).toBe(7);
  });

  it('compares round by round, so that a slow round counts for both sides', () => {
    const { median: middle, least, most } = ratioByRound([90, 9, 100], [100, 10, 100]);
    expect([middle, least, most]).toEqual([0.9, 0.9, 1]);
  });
});
