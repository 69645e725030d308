/** Confidence in a field: a rule over its evidence, because the score of a net says little about its errors. */

/** Evidence of a field. */
export interface FieldEvidence {
  /** Outcome of the check digit over the field; null if none covers it. */
  readonly digit: 'pass' | 'warn' | 'fail' | 'not_run' | null;
  /** Whether another source of the same document shows the same value. */
  readonly isCorroborated: boolean;
}

/** Returns the confidence from 0 to 1. A field with a replaced letter never reaches more than one half. */
export function confidenceIn({ digit, isCorroborated }: FieldEvidence): number {
  if (digit === 'fail') return 0.1;
  if (digit === 'warn') return 0.5;
  if (digit === 'pass') return isCorroborated ? 0.99 : 0.95;
  return isCorroborated ? 0.8 : 0.6;
}
