import { verdictOf } from '../change.ts';
import { reachOf, summaryOf } from '../comparison.ts';
import type { Format } from './index.ts';

/** For a terminal. */
export const text: Format = (comparison) => [
  ...(['breaking', 'non-breaking', 'docs-only'] as const).flatMap((verdict) => {
    const changes = comparison.changes.filter((change) => verdictOf([change]) === verdict);
    if (changes.length === 0) return [];
    return [`${verdict}:`, ...changes.map((change) => `  ${change.place}: ${change.message} (${change.rule}${change.policy === true ? ', against the policy' : ''})${reachOf(change)}`)];
  }),
  summaryOf(comparison),
].join('\n');
