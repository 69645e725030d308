/** Tests of the period for which a record is retained. */
import { existsSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { holdUntil } from './retention.ts';
import { businessTimeAt } from '../../test/support/business-time.ts';

interface Case {
  readonly id: string;
  readonly type: string;
  readonly endedAt: string | null;
  readonly years: number;
  readonly expect: { readonly holdUntil: string | null };
}

/**
 * Vectors of an independent implementation, which are beside the project in its development environment; without them,
 * the examples and the property below replace them.
 */
const VECTORS = new URL('../../../shared/vectors/dates/cases.json', import.meta.url);
const cases = existsSync(VECTORS)
  ? (JSON.parse(readFileSync(VECTORS, 'utf8')) as { cases: readonly Case[] }).cases.filter(
      ({ type }) => type === 'retention',
    )
  : [];

const until = (endedAt: string | null, years: number): string | null =>
  holdUntil(endedAt === null ? null : businessTimeAt(endedAt), years);

describe('a record is retained', () => {
  it.each(cases)('as in the vector $id', ({ endedAt, years, expect: expected }) => {
    expect(until(endedAt, years)).toBe(expected.holdUntil);
  });

  it.each([
    ['2026-06-30T12:00:00.000Z', 5, '2031-12-31'],
    ['2027-01-01T02:59:59.999Z', 10, '2036-12-31'],
    ['2027-01-01T03:00:00.000Z', 10, '2037-12-31'],
    [null, 10, null],
  ])('that ended at %s for %d years, until %s', (endedAt, years, last) => {
    expect(until(endedAt, years)).toBe(last);
  });

  it('for at least that number of whole years, and for less than one more', () => {
    fc.assert(
      fc.property(
        fc.date({ min: new Date('2000-01-02'), max: new Date('2100-01-01'), noInvalidDate: true }),
        fc.integer({ min: 0, max: 100 }),
        (ended, years) => {
          const days =
            (Date.parse(`${holdUntil(businessTimeAt(ended), years)}T23:59:59-03:00`) - ended.getTime()) / 86_400_000;
          expect(days).toBeGreaterThanOrEqual(Math.floor(years * 365.2));
          expect(days).toBeLessThanOrEqual((years + 1) * 366);
        },
      ),
    );
  });
});
