/** Tests of the statistics by which scores of pairs are compared. */
import { describe, expect, it } from 'vitest';
import { areaUnderCurve, atLine, bestF1, lineWithin, type ScoredPair } from './separation.ts';

const pairs = (same: readonly number[], other: readonly number[]): ScoredPair[] => [
  ...same.map((score) => ({ isMatch: true, score })),
  ...other.map((score) => ({ isMatch: false, score })),
];

describe('scores of pairs', () => {
  it('are ordered well if a true pair scores above a false one, and by a half if the scores are equal', () => {
    expect(areaUnderCurve(pairs([0.9, 0.8], [0.3, 0.2]))).toBe(1);
    expect(areaUnderCurve(pairs([0.9, 0.5], [0.5, 0.95]))).toBe(0.375);
    expect(areaUnderCurve(pairs([0.5, 0.5], [0.5]))).toBe(0.5);
  });

  it('have their best F1 at the line that finds most at the least false alerts', () => {
    expect(bestF1(pairs([0.9, 0.8], [0.3]))).toBe(1);
    // At 0.4 all three and one false pair, at 0.8 two of three.
    expect(bestF1(pairs([0.9, 0.8, 0.4], [0.6, 0.1]))).toBeCloseTo(6 / 7);
  });

  it('reach a line if they are equal to it', () => {
    expect(atLine(pairs([0.9, 0.7, 0.5], [0.7, 0.1, 0.1, 0.1]), 0.7)).toEqual({ found: 2 / 3, falseAlerts: 0.25 });
  });

  it('have the same false alerts at the lowest line that allows no more', () => {
    const own = pairs([0.9, 0.75, 0.6], [0.8, 0.7, 0.2, 0.1]);
    expect([0.25, 0.3, 0.5, 1].map((allowed) => lineWithin(own, allowed))).toEqual([0.75, 0.75, 0.6, 0.1]);
    expect(atLine(own, lineWithin(own, 0.25))).toEqual({ found: 2 / 3, falseAlerts: 0.25 });
    expect(lineWithin(own, 0)).toBe(0.9);
  });

  it('have no such line if the highest score is that of too many false pairs', () => {
    const coarse = pairs([1, 1], [1, 0]);
    expect([lineWithin(coarse, 0.25), atLine(coarse, lineWithin(coarse, 0.25)).found]).toEqual([Infinity, 0]);
  });
});
