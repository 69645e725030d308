/** The middle value; of an even number of values, the mean of the middle two. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle];
  if (upper === undefined) throw new RangeError('no values, no median');
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] ?? upper)) / 2;
}

/** The least value that `share` of all values do not exceed (nearest rank). */
export function percentile(sorted: Float64Array, share: number): number {
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN;
}

export interface Ratio {
  /** The median of the ratios of each round: what slows a whole round down cancels out. */
  readonly median: number;
  readonly least: number;
  readonly most: number;
}

export function ratioByRound(ours: readonly number[], theirs: readonly number[]): Ratio {
  const ratios = ours.map((value, round) => value / (theirs[round] ?? Number.NaN));
  return { median: median(ratios), least: Math.min(...ratios), most: Math.max(...ratios) };
}
