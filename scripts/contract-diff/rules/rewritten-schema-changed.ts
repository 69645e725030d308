import type { Change, DiffRule } from '../change.ts';
import { directedPairs } from '../directed-pairs.ts';
import type { DirectedPair } from '../directed-pairs.ts';
import { membersLost, narrowed } from '../narrowed.ts';

/**
 * A reference that is written out, or the other way round, and null written around a reference: `redocly diff` does not
 * compare what stands behind them, so a change of it would go unseen.
 */
export const rewrittenSchemaChanged: DiffRule = (base, revision) => directedPairs(base, revision).filter(({ rewritten }) => rewritten).flatMap(
  ({ place, ...pair }): Omit<Change, 'rule'>[] => broken(pair).map((what) => ({ impact: 'major', place, message: what })),
);

function broken({ base, revision, direction }: Omit<DirectedPair, 'place'>): string[] {
  if (base.$ref !== undefined || revision.$ref !== undefined || base.oneOf !== undefined || revision.oneOf !== undefined) return [];
  if (direction === 'request') return narrowed(base, revision).map((keyword) => `the request is narrowed by ${keyword}`);
  const promised = base['x-enum-open'] === true ? ['enum'] : [];
  return [
    ...membersLost(base, revision).map((name) => `the response lost ${name}`),
    ...narrowed(revision, base).filter((keyword) => !promised.includes(keyword)).map((keyword) => `the response is widened by ${keyword}`),
  ];
}
