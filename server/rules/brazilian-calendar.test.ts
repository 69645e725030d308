import { describe, expect, it } from 'vitest';
import { bankHolidays, easter, isBusinessDay, nextHoliday } from './brazilian-calendar.ts';

describe('the movable feasts', () => {
  it.each([
    [2025, ['2025-03-03', '2025-03-04'], '2025-04-18', '2025-06-19'],
    [2026, ['2026-02-16', '2026-02-17'], '2026-04-03', '2026-06-04'],
    [2027, ['2027-02-08', '2027-02-09'], '2027-03-26', '2027-05-27'],
    [2028, ['2028-02-28', '2028-02-29'], '2028-04-14', '2028-06-15'],
    [2029, ['2029-02-12', '2029-02-13'], '2029-03-30', '2029-05-31'],
    [2030, ['2030-03-04', '2030-03-05'], '2030-04-19', '2030-06-20'],
  ])('of %i are Carnival, Good Friday and Corpus Christi as announced', (year, carnival, goodFriday, corpusChristi) => {
    const fixed = ['01-01', '04-21', '05-01', '09-07', '10-12', '11-02', '11-15', '11-20', '12-25'].map((date) => `${year}-${date}`);
    expect(bankHolidays(year)).toEqual([...carnival, goodFriday, corpusChristi, ...fixed].sort());
  });

  it.each([['earliest', 2285, '2285-03-22'], ['latest', 2038, '2038-04-25'], ['last of a century', 2000, '2000-04-23'], ['exception of the table', 1954, '1954-04-18']])(
    'follow Easter, here the %s', (_which, year, date) => {
      expect(easter(year)).toBe(date);
    });
});

describe('a business day', () => {
  it.each([
    ['a Friday', '2026-11-06', true], ['a Saturday', '2026-11-07', false], ['a Sunday', '2026-11-08', false],
    ['Carnival Tuesday', '2026-02-17', false], ['Ash Wednesday', '2026-02-18', true], ['the last day of the year', '2026-12-31', true],
    ['20 November before it was a national holiday', '2023-11-20', true], ['20 November since', '2026-11-20', false],
  ])('%s: %s is %s', (_what, date, expected) => {
    expect(isBusinessDay(date)).toBe(expected);
  });
});

describe('the next holiday', () => {
  it.each([['2026-11-02', '2026-11-15'], ['2026-11-15', '2026-11-20'], ['2026-12-25', '2027-01-01'], ['2028-02-28', '2028-02-29']])('after %s is %s', (date, next) => {
    expect(nextHoliday(date)).toBe(next);
  });
});
