/** Outcomes of checks, and the status of a verification that follows from them. */

/** Outcome of a check. A check that was not run is never taken for one that passed. */
export type CheckOutcome = 'pass' | 'fail' | 'warn' | 'not_run';

/** Result of one check. Expected and observed values are for people, and may be personal data. */
export interface Check<Code extends string = string> {
  readonly code: Code;
  readonly outcome: CheckOutcome;
  readonly score: number | null;
  readonly threshold: number | null;
  readonly expected: string | null;
  readonly observed: string | null;
  /** Reason of an outcome that is not `pass`. */
  readonly reasonCode: string | null;
}

/** Status that follows from checks. */
export type ConcludedStatus = 'passed' | 'failed' | 'inconclusive';

/** Returns a check without values to compare. */
export function check<Code extends string>(
  code: Code,
  outcome: CheckOutcome,
  reasonCode: string | null = null,
): Check<Code> {
  return {
    code,
    outcome,
    score: null,
    threshold: null,
    expected: null,
    observed: null,
    reasonCode,
  };
}

/**
 * Concludes from checks: one that fails decides; otherwise a warning, or a required check that is missing or was not
 * run, leaves the verification inconclusive; only then it is passed.
 */
export function conclude(checks: readonly Check[], required: readonly string[]): ConcludedStatus {
  if (checks.some(({ outcome }) => outcome === 'fail')) return 'failed';
  const isPassed = (code: string): boolean => {
    const ofCode = checks.filter((one) => one.code === code);
    return ofCode.length > 0 && ofCode.every(({ outcome }) => outcome === 'pass');
  };
  const hasWarning = checks.some(({ outcome }) => outcome === 'warn');
  return hasWarning || !required.every(isPassed) ? 'inconclusive' : 'passed';
}
