import type { DiffRule } from '../change.ts';
import { operationPairs } from '../pairs.ts';

/** Keys and machine tokens lose or gain an operation. */
export const humanOnlyChanged: DiffRule = (base, revision) => operationPairs(base, revision).flatMap(({ place, ...pair }) => {
  const [before, after] = [pair.base['x-human-only'] === true, pair.revision['x-human-only'] === true];
  if (before === after) return [];
  return [{ impact: after ? 'major' : 'minor', place, message: after ? 'is for people alone now' : 'is no longer for people alone' }];
});
