/** Tests of the rows that compare the screening engine with others. */
import { describe, expect, it } from 'vitest';
import { isMet } from './figures.ts';
import { atOwnLines, sideBySide } from './side-by-side.ts';

describe('a row side by side', () => {
  it('shows all figures, and is met if nobody is better', () => {
    const row = sideBySide({
      what: 'area',
      own: 0.9,
      others: { a: 0.9, b: 0.6 },
      better: 'more',
    });
    expect(row).toEqual(['area', { value: 1, text: '0.900 · a 0.900 · b 0.600 · not behind any' }, '≥ 1']);
    expect(isMet(row)).toBe(true);
  });

  it('is the ratio to the best of the others, and names whoever is better and why', () => {
    const because = (ahead: readonly string[]) => `${ahead.length} compare letters alone`;
    const row = sideBySide({
      what: 'time',
      own: 4,
      others: { a: 2, b: 8, c: 1 },
      better: 'less',
      unit: 'µs',
      because,
    });
    expect(row[1]).toEqual({
      value: 0.25,
      text: '4.00 µs · a 2.00 µs · b 8.00 µs · c 1.00 µs · behind a, c: 2 compare letters alone',
    });
    expect(isMet(row)).toBe(false);
  });

  it('says if nobody knows why another is better, and is not met by a figure that is none', () => {
    const row = sideBySide({
      what: 'area',
      own: 0.8,
      others: { a: 0.9, b: Number.NaN },
      better: 'more',
    });
    expect(row[1].text).toContain('behind a, b: nobody has said why');
    expect(isMet(row)).toBe(false);
  });

  it('is equal where both find nothing', () => {
    expect(
      sideBySide({
        what: 'alerts',
        own: 0,
        others: { a: 0 },
        better: 'less',
      })[1].value,
    ).toBe(1);
  });
});

describe('what is found at own lines', () => {
  const own = { found: 0.7, falseAlerts: 0.05 };

  it('may be less than what another finds that alerts more, and the row says how much', () => {
    const [found, alerts] = atOwnLines('pairs', own, { low: { found: 0.8, falseAlerts: 0.3 } });
    expect(found![1].text).toContain('behind low: they alert more of the false pairs, 30.0 %, not 5.0 %');
    expect(alerts![1].text).toContain('not behind any');
  });

  it('may be alerted more often than by another that finds less', () => {
    const [, alerts] = atOwnLines('pairs', own, { high: { found: 0.2, falseAlerts: 0 } });
    expect(alerts![1].text).toContain('behind high: they find fewer of the true pairs, 20.0 %, not 70.0 %');
  });

  it('has no excuse if another finds more and does not alert more', () => {
    const [found] = atOwnLines('pairs', own, {
      better: { found: 0.8, falseAlerts: 0.05 },
      low: { found: 0.9, falseAlerts: 0.4 },
    });
    expect(found![1].text).toContain('behind better, low: nobody has said why');
  });
});
