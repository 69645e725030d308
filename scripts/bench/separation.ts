/** How well scores tell pairs of the same bearer from pairs of two. Used by the measurements of screening. */

export interface ScoredPair {
  readonly isMatch: boolean;
  readonly score: number;
}

const parted = (pairs: readonly ScoredPair[]): readonly [same: number[], other: number[]] => [
  pairs.filter(({ isMatch }) => isMatch).map(({ score }) => score),
  pairs.filter(({ isMatch }) => !isMatch).map(({ score }) => score),
];
const share = (scores: readonly number[], line: number): number =>
  scores.filter((score) => score >= line).length / scores.length;

/** Returns how often a true pair scores above a false one. An equal score counts a half. */
export function areaUnderCurve(pairs: readonly ScoredPair[]): number {
  const [same, other] = parted(pairs);
  const above = same.reduce(
    (sum, one) => sum + other.reduce((count, two) => count + (Math.sign(one - two) + 1) / 2, 0),
    0,
  );
  return above / same.length / other.length;
}

/** Returns the best F1 of any line. */
export function bestF1(pairs: readonly ScoredPair[]): number {
  const [same, other] = parted(pairs);
  const f1 = (line: number): number => {
    const right = share(same, line) * same.length;
    return (2 * right) / (right + share(other, line) * other.length + same.length);
  };
  return Math.max(...new Set(same.map(f1)));
}

/** Returns the shares of the true and of the false pairs that reach a line. */
export function atLine(
  pairs: readonly ScoredPair[],
  line: number,
): { readonly found: number; readonly falseAlerts: number } {
  const [same, other] = parted(pairs);
  return { found: share(same, line), falseAlerts: share(other, line) };
}

/**
 * Returns the lowest score of a pair, as a line, which at most this share of the false pairs reaches; infinite if even
 * the highest score has more false pairs.
 */
export function lineWithin(pairs: readonly ScoredPair[], falseAlerts: number): number {
  const lines = [...new Set(pairs.map(({ score }) => score))].sort((one, other) => one - other);
  return lines.find((line) => atLine(pairs, line).falseAlerts <= falseAlerts) ?? Infinity;
}
