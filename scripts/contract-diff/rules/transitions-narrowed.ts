import type { DiffRule } from '../change.ts';
import { operationPairs, without } from '../pairs.ts';

/** A call that was allowed in some status is refused there now, or leads elsewhere. */
export const transitionsNarrowed: DiffRule = (base, revision) => operationPairs(base, revision).flatMap(({ place, ...pair }) => {
  const [before, after] = [pair.base['x-state-transitions'], pair.revision['x-state-transitions']];
  if (before === undefined || after === undefined) return [];
  const lost = without(before.from, after.from);
  return [
    ...(lost.length > 0 ? [{ impact: 'major' as const, place, message: `no longer allowed from ${lost.join(', ')}` }] : []),
    ...(before.to !== after.to ? [{ impact: 'major' as const, place, message: `led to ${before.to} and leads to ${after.to}` }] : []),
  ];
});
