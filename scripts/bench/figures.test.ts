/** Tests of the rounds and statistics of the benchmark. */
import { describe, expect, it } from 'vitest';
import { alternate, amount, goalsMet, isMet, median, ratio, render } from './figures.ts';

describe('the figures of the benchmark', () => {
  it('come from contenders that take turns, and are kept in order', async () => {
    const seen: string[] = [];
    const turn = (name: string) => () => seen.push(name);
    const results = await alternate(2, { a: turn('a'), b: turn('b') });
    expect(seen).toEqual(['a', 'b', 'a', 'b']);
    expect(results).toEqual({ a: [1, 3], b: [2, 4] });
  });

  it('are the middle value, and the mean of the middle two', () => {
    expect([median([9, 1, 5]), median([4, 1, 3, 2]), median([])]).toEqual([5, 2.5, Number.NaN]);
  });

  it('are compared round by round, so that a slow round counts for both sides', () => {
    expect(ratio([90, 9, 100], [100, 10, 100], (value) => value)).toEqual({ value: 0.9, text: '0.90 (0.90–1.00)' });
  });

  it('are shown with their goals, whether each was met, and how many were', () => {
    const rows = [
      ['service', amount(900, '/s')],
      ['service / bare', amount(0.95, '', '0.95 (0.90–0.97)'), '≥ 0.90'],
      ['validation', amount(7.25, 'µs'), '≤ 5 µs'],
    ] as const;
    const section = { title: 'GET', rows, raw: {} };
    expect(render(section)).toBe(
      [
        'GET',
        '  service         900 /s',
        '  service / bare  0.95 (0.90–0.97)  ≥ 0.90  met',
        '  validation      7.25 µs           ≤ 5 µs  NOT MET',
      ].join('\n'),
    );
    expect(goalsMet([section, section])).toBe('2 of 4 goals met');
  });

  it('do not meet a goal if they could not be measured', () => {
    expect([isMet(['x', amount(Number.NaN, 'µs'), '≤ 5 µs']), isMet(['x', amount(Number.NaN, ''), '≥ 1.00'])]).toEqual([
      false,
      false,
    ]);
  });
});
