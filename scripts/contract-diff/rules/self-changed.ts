import type { DiffRule } from '../change.ts';
import { operationPairs } from '../pairs.ts';

/** People lose or gain an operation on their own record. */
export const selfChanged: DiffRule = (base, revision) => operationPairs(base, revision).flatMap(({ place, ...pair }) => {
  const [before, after] = [pair.base['x-self'] !== undefined, pair.revision['x-self'] !== undefined];
  if (before === after) return [];
  return [{ impact: before ? 'major' : 'minor', place, message: before ? 'no longer for the own record' : 'also for the own record' }];
});
