import type { DiffRule } from '../change.ts';
import { operationPairs } from '../pairs.ts';

/** A reader that asks twice loses what a first answer acknowledged; one that never acknowledges is told everything again. */
export const acknowledgementChanged: DiffRule = (base, revision) => operationPairs(base, revision).flatMap(({ place, ...pair }) => {
  const [before, after] = [pair.base['x-acknowledges'] === true, pair.revision['x-acknowledges'] === true];
  return before === after ? [] : [{ impact: 'major', place, message: after ? 'acknowledges what came before its cursor' : 'no longer acknowledges what came before its cursor' }];
});
