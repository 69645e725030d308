import type { DiffRule } from '../change.ts';
import { operationPairs } from '../pairs.ts';

/** With `x-follow` a list has a method `follow` in both SDKs. */
export const followChanged: DiffRule = (base, revision) => operationPairs(base, revision).flatMap(({ place, ...pair }) => {
  const [before, after] = [pair.base['x-follow'], pair.revision['x-follow']];
  if (before?.acknowledge === after?.acknowledge && before?.interval === after?.interval) return [];
  const message = before === undefined ? 'can be followed' : after === undefined ? 'can no longer be followed' : 'is followed in another way';
  return [{ impact: before === undefined ? 'minor' : 'major', place, message }];
});
