/**
 * The result of a screening, derived from its hits: once as a function and once in SQL. Used by run-screening.ts and
 * decision-store.ts. The two must agree, or a decision shows another result than a new screening would.
 */
import type { components } from '../../contract/generated/types.ts';
import { type Fragment, sql } from '../../database/index.ts';

type Schemas = components['schemas'];

/**
 * Derives the result of a screening from the statuses of its hits. An inconclusive hit is open, hits beyond the limit
 * are unknown, and a name that was not compared is never clear.
 */
export function resultOf(
  statuses: readonly Schemas['HitStatus'][],
  { isTruncated, isComparable }: { readonly isTruncated: boolean; readonly isComparable: boolean },
): { readonly result: Schemas['ScreeningResult']; readonly openHitCount: number } {
  const openHitCount = statuses.filter((status) => status === 'open' || status === 'inconclusive').length;
  const resultWith = (): Schemas['ScreeningResult'] => {
    if (statuses.includes('true_positive')) return 'confirmed_match';
    if (openHitCount > 0 || isTruncated) return 'open_hits';
    if (!isComparable) return 'not_comparable';
    return statuses.length === 0 ? 'clear' : 'cleared';
  };
  return { result: resultWith(), openHitCount };
}

/** The same derivation in SQL, for all screenings of a subject. */
export const RESULT: Fragment = sql`CASE WHEN 'true_positive' = ANY (statuses) THEN 'confirmed_match' WHEN open_hits > 0
  OR screening.truncated THEN 'open_hits'
  WHEN NOT screening.comparable THEN 'not_comparable' WHEN cardinality(statuses) = 0 THEN 'clear' ELSE 'cleared' END`;
