import { isDeepStrictEqual } from 'node:util';
import type { Schema } from '../../generate/schema.ts';
import type { Change, DiffRule } from '../change.ts';
import { directedPairs } from '../directed-pairs.ts';

/**
 * A rule for keywords of JSON Schema that only ever narrow: one more breaks who sends, one less breaks who reads, and
 * another value may break both.
 */
export function assertionChanged(keywords: readonly string[]): DiffRule {
  return (base, revision) => directedPairs(base, revision).flatMap(({ place, direction, ...pair }) => keywords.flatMap((keyword): Omit<Change, 'rule'>[] => {
    const [before, after] = [pair.base, pair.revision].map((schema) => (schema as Schema & Readonly<Record<string, unknown>>)[keyword]);
    if (isDeepStrictEqual(before, after)) return [];
    const breaks = direction === 'request' ? after !== undefined : before !== undefined;
    return [{ impact: breaks ? 'major' : 'minor', place, message: `${keyword} of the ${direction} ${before === undefined ? 'is new' : after === undefined ? 'is gone' : 'is another'}` }];
  }));
}
