/**
 * How long each measurement of the benchmark takes. Used by the laboratory and the main program of the benchmark. A
 * quick run measures the same things with more noise, so its figures are not for comparisons.
 */
export const FULL = {
  rounds: 7,
  secondsPerTurn: 2,
  warmUpSeconds: 2,
  startUps: 3,
  validations: 10_000,
  /** Random graphs of owners. */
  graphs: 10_000,
  /** Stored cases among which the summary and the work view are read. */
  cases: 1_000_000,
  /** Assessed subjects of a backtest, which must run longer than a turn. */
  subjects: 50_000,
  /** Operations to which the worst bodies are sent; null for all. */
  attacked: null as number | null,
  /** Calls of each SDK per round, and those that end at their deadline, of each kind. */
  sdk: { calls: 500, deadlines: 50 },
  /**
   * Recoveries that are taken in per turn, and events of stored feeds; the payloads of the largest
   * do not fit on every disk.
   */
  feed: {
    recoveries: 240,
    small: 10_000,
    large: 1_000_000,
    largest: null as number | null,
  },
};

export type Extent = typeof FULL;

export const QUICK: Extent = {
  rounds: 3,
  secondsPerTurn: 1,
  warmUpSeconds: 1,
  startUps: 1,
  validations: 5_000,
  graphs: 1_000,
  cases: 100_000,
  subjects: 50_000,
  attacked: null,
  sdk: { calls: 500, deadlines: 10 },
  feed: {
    recoveries: 80,
    small: 10_000,
    large: 100_000,
    largest: null,
  },
};
