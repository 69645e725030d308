import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { alternate, atLeast, atMost, median, percentile, plain, ratioByRound, render } from './figures.ts';
import { readExtent } from './main.ts';

describe('the rounds of the benchmark', () => {
  it('let the contenders take turns, and keep the results of each in order', async () => {
    const seen: string[] = [];
    const turn = (name: string) => () => seen.push(name);
    const results = await alternate(2, { a: turn('a'), b: turn('b') });
    expect(seen).toEqual(['a', 'b', 'a', 'b']);
    expect(results).toEqual({ a: [1, 3], b: [2, 4] });
  });
});

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
    expect(ratioByRound([90, 9, 100], [100, 10, 100])).toEqual({ median: 0.9, text: '0.90 (0.90–1.00)' });
  });
});

describe('the report of the benchmark', () => {
  it('says of every goal whether it was met, and counts', () => {
    const text = render([{ title: 'GET', rows: [plain('service', '900/s'), atLeast('service / bare', { median: 0.95, text: '0.95 (0.90–0.97)' }, 0.9), atMost('validation', 7.25, 5, 'µs')] }]);
    expect(text).toBe([
      '', 'GET',
      '  service         900/s',
      '  service / bare  0.95 (0.90–0.97)  ≥ 0.90  met',
      '  validation      7.25 µs           ≤ 5 µs  NOT MET',
      '', '1 of 2 goals met',
    ].join('\n'));
  });

  it('does not call a figure that could not be measured met', () => {
    expect(atMost('x', Number.NaN, 5, 'µs').met).toBe(false);
    expect(atLeast('x', { median: Number.NaN, text: '–' }, 1).met).toBe(false);
  });
});

describe('the options of the benchmark', () => {
  it('have a short and a long form of the same measurements', () => {
    const [quick, full] = [readExtent(['--quick'], {})?.extent, readExtent([], {})?.extent];
    expect(Object.keys(quick ?? {})).toEqual(Object.keys(full ?? {}));
    expect(quick?.rounds).toBeLessThan(full?.rounds ?? 0);
  });

  it('take a larger feed as an argument or from the environment', () => {
    const largest = (args: string[], env = {}) => readExtent(args, env)?.extent.feed.largest;
    expect([largest([]), largest(['--feed-events', '2000000']), largest([], { FEED_EVENTS: '5000' })]).toEqual([null, 2_000_000, 5_000]);
  });

  it.each([['--fast'], ['--feed-events', 'many'], ['--only', 'nonsense']])('are refused with a hint when they are wrong: %s', (...args) => {
    const { status, stderr } = spawnSync(process.execPath, [join(import.meta.dirname, 'main.ts'), ...args], { encoding: 'utf8' });
    expect([status, stderr]).toEqual([2, expect.stringContaining('--help')]);
  });
});
