import type { DiffRule } from '../change.ts';
import { operationPairs } from '../pairs.ts';

/** An announcement is no change yet: it is what makes the later removal lawful. */
export const deprecationChanged: DiffRule = (base, revision) => operationPairs(base, revision).flatMap(({ place, ...pair }) => {
  const [before, after] = [pair.base.deprecated === true, pair.revision.deprecated === true];
  if (before === after) return [];
  return [{ impact: 'minor', place, message: after ? `is deprecated and ends on ${pair.revision['x-sunset'] ?? 'no stated day'}` : 'is no longer deprecated' }];
});
