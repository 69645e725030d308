/** What a step of `make test` counted, and what it wants to be read. */
export interface Result {
  readonly passed: number;
  readonly failed: number;
  /** Figures for the summary, one line each. */
  readonly figures?: readonly string[];
  /** Shown when something failed. */
  readonly complaint?: string;
}

/** A step that either holds or does not counts as one test. */
export function verdict(holds: boolean, complaint: string, figures: readonly string[] = []): Result {
  return { passed: holds ? 1 : 0, failed: holds ? 0 : 1, figures, complaint };
}
