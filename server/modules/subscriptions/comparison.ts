/**
 * What a subscription stores of a comparison with lists. Used by the stores of this module and, through the index, by
 * monitoring, which finds out from it what is missing.
 */
import type { Check } from './checks.ts';

/**
 * What an applicant was compared with in the last successful run. Later versions of these lists were checked as far as
 * the tenant has followed them (module monitoring).
 */
export interface Comparison {
  readonly checks: readonly Check[];
  readonly algorithm: string;
  /** Lines of the screening profile. */
  readonly lines: object;
  readonly lists: readonly string[];
  /** Number of the version of the own list, or null if there was none. */
  readonly ownList: number | null;
}

/**
 * Number of hits that a run by another algorithm would find beyond the last screening, or null if the applicant could
 * not be screened.
 */
export interface Rehearsal {
  readonly algorithm: string;
  readonly newHits: number | null;
}
