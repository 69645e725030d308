import type { DiffRule } from '../change.ts';
import { operationPairs, without } from '../pairs.ts';

/** A call that was allowed in some status is refused there now, or leads elsewhere. */
export const transitionsChanged: DiffRule = (base, revision) => operationPairs(base, revision).flatMap(({ place, ...pair }) => {
  const [before, after] = [pair.base['x-state-transitions'], pair.revision['x-state-transitions']];
  if (before === undefined || after === undefined) return [];
  const [lost, gained] = [without(before.from, after.from), without(after.from, before.from)];
  return [
    ...(lost.length > 0 ? [{ impact: 'major' as const, place, message: `no longer allowed from ${lost.join(', ')}` }] : []),
    ...(gained.length > 0 ? [{ impact: 'minor' as const, place, message: `also allowed from ${gained.join(', ')}` }] : []),
    ...(before.to !== after.to ? [{ impact: 'major' as const, place, message: `led to ${before.to} and leads to ${after.to}` }] : []),
  ];
});
