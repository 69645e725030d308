/** Tests of the bands of hits and of thresholds. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { each } from '../../../test/support/each.ts';
import { ofEachKind, SHIPPED_PROFILE } from '../tenant-settings/screening-profile.ts';
import { alertsOf, bandOf, leastAlert, type Lines, linesAt, linesFor } from './bands.ts';

const score = fc.integer({ min: 0, max: 1000 }).map((thousandths) => thousandths / 1000);
const line = fc.integer({ min: 500, max: 1000 }).map((thousandths) => thousandths / 1000);
const ofOne = fc.tuple(line, line, line).map((three) => {
  const [alert, review, strong] = three.sort((a, b) => a - b) as [number, number, number];
  return { alert, review, strong };
});
const lines: fc.Arbitrary<Lines> = fc.record({ sanctions: ofOne, pep: ofOne, other: ofOne });
const category = fc.constantFrom(
  'sanction' as const,
  'pep' as const,
  'rca' as const,
  'adverse' as const,
  'watchlist' as const,
  'disqualified' as const,
);
const BY_NAME = { judgement: { identifier: null } };
const BY_NUMBER = { judgement: { identifier: { kind: 'cpf', country: 'BR', nameConflicts: false } } } as const;
const ORDER = ['namesake', 'low', 'review', 'strong'];

describe('the band of a hit', () => {
  it.each([
    ['sanction', 0.82, 'review'],
    ['sanction', 0.9, 'strong'],
    ['pep', 0.8, 'review'],
    ['rca', 0.88, 'strong'],
    ['watchlist', 0.899, 'review'],
    ['sanction', 0.8199, 'namesake'],
    ['sanction', 0.52, 'namesake'],
  ] as const)('of the shipped profile, of a person, is %s %d: %s', (of, at, band) => {
    expect(bandOf({ ...BY_NAME, category: of, score: at }, linesFor({ type: 'person' }, SHIPPED_PROFILE))).toBe(band);
  });

  it('follows the lines for the kind of subject that was screened', () => {
    expect(
      [0.8, 0.88].map((at) =>
        bandOf({ ...BY_NAME, category: 'sanction', score: at }, linesFor({ type: 'organisation' }, SHIPPED_PROFILE)),
      ),
    ).toEqual(['review', 'strong']);
    expect(
      [linesFor({ type: 'person' }, SHIPPED_PROFILE), linesFor({ type: 'organisation' }, SHIPPED_PROFILE)].map(
        ({ sanctions }) => sanctions.alert,
      ),
    ).toEqual([0.82, 0.8]);
  });

  it('never falls when the score rises', () => {
    fc.assert(
      fc.property(lines, category, score, score, (by, of, one, other) => {
        const [lower, higher] = [Math.min(one, other), Math.max(one, other)].map((at) =>
          ORDER.indexOf(bandOf({ ...BY_NAME, category: of, score: at }, by)),
        ) as [number, number];
        expect(higher).toBeGreaterThanOrEqual(lower);
      }),
    );
  });

  it('is `identifier` if a number is equal, whatever the score and the lines are', () => {
    fc.assert(
      fc.property(lines, category, score, (by, of, at) => {
        expect(bandOf({ ...BY_NUMBER, category: of, score: at }, by)).toBe('identifier');
      }),
    );
  });
});

describe('the threshold of a request', () => {
  it('is the alert line of every kind, and leaves the lines in their order', () => {
    fc.assert(
      fc.property(lines, line, (by, threshold) => {
        for (const { alert, review, strong } of each(Object.values(linesAt(by, threshold))))
          expect([alert, review >= alert, strong >= review]).toEqual([threshold, true, true]);
      }),
    );
  });

  it('loses no hit when it falls, and makes none weaker', () => {
    fc.assert(
      fc.property(lines, category, score, fc.tuple(line, line), (by, of, at, thresholds) => {
        const [low, high] = [Math.min(...thresholds), Math.max(...thresholds)].map((threshold) =>
          linesAt(by, threshold),
        ) as [Lines, Lines];
        const hit = { ...BY_NAME, category: of, score: at };
        fc.pre(at >= alertsOf(high)[of]);
        expect([at >= alertsOf(low)[of], ORDER.indexOf(bandOf(hit, low)) >= ORDER.indexOf(bandOf(hit, high))]).toEqual([
          true,
          true,
        ]);
      }),
    );
  });
});

it('nothing below the least alert line is a hit', () => {
  fc.assert(
    fc.property(lines, (by) => {
      expect(Math.min(...Object.values(alertsOf(by)))).toBe(leastAlert(by));
    }),
  );
});

it('the shipped lines are in their order, and within what the contract allows', () => {
  ofEachKind(SHIPPED_PROFILE, ({ alert, review, strong }) => {
    expect([alert >= 0.5, review >= alert, strong >= review, strong <= 1]).toEqual([true, true, true, true]);
  });
});
