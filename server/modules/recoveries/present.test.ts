import { describe, expect, it } from 'vitest';
import { instant, minorUnits, money, text } from './present.ts';

describe('an amount of the directory', () => {
  it.each([
    ['812.40', 81_240], ['0.00', 0], ['0.07', 7], ['1', 100], ['1.5', 150], ['999999999999.99', 99_999_999_999_999], ['4503599627.37', 450_359_962_737], ['1.10', 110], ['33.33', 3333],
  ])('%s is %i in minor units', (decimal, units) => {
    expect(minorUnits(decimal)).toBe(units);
  });

  it.each(['', '-1.00', '1,00', '1.005', '1e3', '0x10', ' 1.00', '1.', '.5', 'NaN', '1234567890123.00', 812.4, null, undefined, { Amount: '1.00' }])('%j is none', (leaf) => {
    expect(minorUnits(leaf)).toBeNull();
    expect(money(leaf)).toBeNull();
  });
});

describe('a leaf', () => {
  it('that is no text is null, and one that is too long is cut', () => {
    expect([text('SCAM', 40), text('x'.repeat(41), 40), text('', 40), text({ deep: 'x' }, 40), text(undefined, 40)]).toEqual(['SCAM', 'x'.repeat(40), null, null, null]);
  });

  it('with a time is shown in UTC with milliseconds', () => {
    expect([instant('2026-11-02T21:04:11.482Z'), instant('2026-11-02T18:04:11-03:00'), instant('soon'), instant(undefined)])
      .toEqual(['2026-11-02T21:04:11.482Z', '2026-11-02T21:04:11.000Z', null, null]);
  });
});
