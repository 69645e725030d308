/** Tests of the deadlines of reports: vectors, and days across Carnival and New Year. */
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { businessTimeAt } from '../../../test/support/business-time.ts';
import { calendarDate, isBusinessDay } from '../../rules/brazilian-calendar.ts';
import { businessDaysAfterYear, businessDaysFrom, daysFrom } from './deadlines.ts';

interface Vector {
  readonly id: string;
  readonly why: string;
  readonly type: string;
  readonly decidedAt: string;
  readonly selectedAt: string;
  readonly filedAt: string;
  readonly expect: Readonly<Record<string, unknown>>;
}
const VECTORS = new URL('../../../../shared/vectors/dates/cases.json', import.meta.url);
const { cases } = JSON.parse(readFileSync(VECTORS, 'utf8')) as { readonly cases: readonly Vector[] };
const vectors = (type: string): readonly Vector[] => cases.filter((one) => one.type === type);

describe('the vectors', () => {
  it.each(vectors('report_due'))('of a suspicious operation hold: $id $why', ({ decidedAt, expect: expected }) => {
    const due = businessDaysFrom(businessTimeAt(decidedAt), 1);
    expect([calendarDate(due), due.toISOString()]).toEqual([expected['reportDueDate'], expected['reportDueAt']]);
  });

  it.each(vectors('report_late'))('of a late filing hold: $id $why', ({ decidedAt, filedAt, expect: expected }) => {
    const due = businessDaysFrom(businessTimeAt(decidedAt), 1);
    expect(due.toISOString()).toBe(expected['reportDueAt']);
    expect(businessTimeAt(filedAt) > due).toBe(expected['late']);
  });

  it.each(vectors('analysis_due'))('of an analysis hold: $id $why', ({ selectedAt, expect: expected }) => {
    const due = daysFrom(businessTimeAt(selectedAt), 45);
    expect([calendarDate(due), due.toISOString()]).toEqual([expected['analysisDueDate'], expected['analysisDueAt']]);
  });
});

describe('a deadline', () => {
  it.each([
    ['the Friday before Carnival', '2026-02-13', 1, '2026-02-18'],
    ['Ash Wednesday', '2026-02-18', 1, '2026-02-19'],
    ['the Friday before Carnival, by two days', '2027-02-05', 2, '2027-02-11'],
    ['the last day of a year', '2026-12-31', 1, '2027-01-04'],
    ['the day before the last day of a year', '2026-12-30', 1, '2026-12-31'],
    ['Christmas Eve', '2026-12-24', 1, '2026-12-28'],
  ])('of an operation in cash on %s is a business day later', (_day, operationOn, days, due) => {
    expect(businessDaysFrom(operationOn, days).toISOString()).toBe(
      `${calendarDate(businessTimeAt(Date.parse(`${due}T15:00:00Z`) + 86_400_000))}T02:59:59.999Z`,
    );
  });

  it.each([
    [2025, '2026-01-15'],
    [2026, '2027-01-15'],
    [2027, '2028-01-14'],
    [2022, '2023-01-13'],
  ])('of the declaration about %i is the tenth business day of the next year', (year, due) => {
    expect(calendarDate(businessDaysAfterYear(year, 10))).toBe(due);
  });

  it('of a selection is counted from the day of the operation, across New Year', () => {
    expect(daysFrom('2026-11-20', 45).toISOString()).toBe('2027-01-05T02:59:59.999Z');
  });

  it('by business days is the end of a business day, with as many business days after the start as were asked for', () => {
    const day = fc.date({ min: new Date('2024-01-01'), max: new Date('2032-12-31'), noInvalidDate: true });
    fc.assert(
      fc.property(day, fc.integer({ min: 1, max: 30 }), (start, count) => {
        const date = start.toISOString().slice(0, 10);
        const due = calendarDate(businessDaysFrom(date, count));
        const between: string[] = [];
        for (let at = Date.parse(date) + 86_400_000; at <= Date.parse(due); at += 86_400_000)
          between.push(new Date(at).toISOString().slice(0, 10));
        expect(between.filter(isBusinessDay)).toHaveLength(count);
        expect(isBusinessDay(due)).toBe(true);
      }),
    );
  });
});
