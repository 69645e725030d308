/** Tests of Brazilian holidays and business days. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bankHolidays, calendarDate, easter, isBusinessDay, monthsLater, nextHoliday } from './brazilian-calendar.ts';
import { businessTimeAt } from '../../test/support/business-time.ts';

describe('the movable feasts', () => {
  it.each([
    [2025, ['2025-03-03', '2025-03-04'], '2025-04-18', '2025-06-19'],
    [2026, ['2026-02-16', '2026-02-17'], '2026-04-03', '2026-06-04'],
    [2027, ['2027-02-08', '2027-02-09'], '2027-03-26', '2027-05-27'],
    [2028, ['2028-02-28', '2028-02-29'], '2028-04-14', '2028-06-15'],
    [2029, ['2029-02-12', '2029-02-13'], '2029-03-30', '2029-05-31'],
    [2030, ['2030-03-04', '2030-03-05'], '2030-04-19', '2030-06-20'],
  ])('of %i are Carnival, Good Friday and Corpus Christi as announced', (year, carnival, goodFriday, corpusChristi) => {
    const fixed = ['01-01', '04-21', '05-01', '09-07', '10-12', '11-02', '11-15', '11-20', '12-25'].map(
      (date) => `${year}-${date}`,
    );
    expect(bankHolidays(year)).toEqual([...carnival, goodFriday, corpusChristi, ...fixed].sort());
  });

  it.each([
    ['earliest', 2285, '2285-03-22'],
    ['latest', 2038, '2038-04-25'],
    ['last of a century', 2000, '2000-04-23'],
    ['exception of the table', 1954, '1954-04-18'],
  ])('follow Easter, here the %s', (_which, year, date) => {
    expect(easter(year)).toBe(date);
  });
});

describe('a business day', () => {
  it.each([
    ['a Friday', '2026-11-06', true],
    ['a Saturday', '2026-11-07', false],
    ['a Sunday', '2026-11-08', false],
    ['Carnival Tuesday', '2026-02-17', false],
    ['Ash Wednesday', '2026-02-18', true],
    ['the last day of the year', '2026-12-31', true],
    ['20 November before it was a national holiday', '2023-11-20', true],
    ['20 November since', '2026-11-20', false],
  ])('%s: %s is %s', (_what, date, expected) => {
    expect(isBusinessDay(date)).toBe(expected);
  });
});

describe('the next holiday', () => {
  it.each([
    ['2026-11-02', '2026-11-15'],
    ['2026-11-15', '2026-11-20'],
    ['2026-12-25', '2027-01-01'],
    ['2028-02-28', '2028-02-29'],
  ])('after %s is %s', (date, next) => {
    expect(nextHoliday(date)).toBe(next);
  });
});

describe('months later', () => {
  it.each([
    ['2026-01-31T10:00:00.000Z', 1, '2026-02-28T10:00:00.000Z'],
    ['2024-02-29T23:59:59.999Z', 12, '2025-02-28T23:59:59.999Z'],
    ['2026-11-03T14:02:00.000Z', 24, '2028-11-03T14:02:00.000Z'],
    // In São Paulo it is still 30 November, and 30 December is a day; in UTC it is 1 December already.
    ['2026-12-01T02:30:00.000Z', 1, '2026-12-31T02:30:00.000Z'],
    // In São Paulo it is still 31 January, and February ends on the 28th; in UTC it is 1 February already.
    ['2026-02-01T02:30:00.000Z', 1, '2026-03-01T02:30:00.000Z'],
  ])('than %s by %d it is %s', (from, months, to) => {
    expect(monthsLater(businessTimeAt(from), months).toISOString()).toBe(to);
  });

  it('is exactly that number of calendar months of São Paulo later', () => {
    fc.assert(
      fc.property(
        fc.date({ min: new Date('2020-01-01'), max: new Date('2100-01-01'), noInvalidDate: true }),
        fc.integer({ min: 1, max: 120 }),
        (date, months) => {
          const from = businessTimeAt(date);
          const [before, after] = [calendarDate(from), calendarDate(monthsLater(from, months))].map((day) =>
            day.split('-').map(Number),
          ) as [number[], number[]];
          expect((after[0]! - before[0]!) * 12 + after[1]! - before[1]!).toBe(months);
          expect(after[2]).toBeLessThanOrEqual(before[2]!);
        },
      ),
    );
  });
});
