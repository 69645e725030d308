import { describe, expect, it } from 'vitest';
import { readOptions, UsageError } from './options.ts';
import { atLeast, atMost, render, told } from './table.ts';

describe('the report of the benchmark', () => {
  it('says of every goal whether it was met, and counts', () => {
    const text = render([{ title: 'GET', rows: [
      told('service', '900/s'), atLeast('service / bare', 0.95, 0.9, '0.95 (0.90–0.97)'), atMost('validation', 7.25, 5, 'µs'),
    ] }]);
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
    expect(atLeast('x', Number.NaN, 1, '–').met).toBe(false);
  });
});

describe('the options of the benchmark', () => {
  it('have a short and a long form of the same measurements', () => {
    expect(readOptions(['--quick'])).toMatchObject({ quick: true });
    expect(readOptions([])).toMatchObject({ quick: false });
    expect(readOptions(['--help'])).toBeNull();
  });

  it('take a larger feed as an argument or from the environment', () => {
    const largest = (args: string[], env = {}) => readOptions(args, env)?.feed.sizes.largest;
    expect([largest([]), largest(['--feed-events', '2000000']), largest([], { FEED_EVENTS: '5000' })]).toEqual([null, 2_000_000, 5_000]);
    expect(() => readOptions(['--feed-events', 'many'])).toThrow(UsageError);
  });

  it('are refused with a hint when they are unknown', () => {
    expect(() => readOptions(['--fast'])).toThrow(UsageError);
  });
});
