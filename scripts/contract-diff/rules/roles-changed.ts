import type { DiffRule } from '../change.ts';
import { operationPairs, without } from '../pairs.ts';

/** People with a role lose or gain an operation. */
export const rolesChanged: DiffRule = (base, revision) => operationPairs(base, revision).flatMap(({ place, ...pair }) => {
  const [before, after] = [pair.base['x-roles'] ?? [], pair.revision['x-roles'] ?? []];
  const [lost, gained] = [without(before, after), without(after, before)];
  return [
    ...(lost.length > 0 ? [{ impact: 'major' as const, place, message: `no longer for ${lost.join(', ')}` }] : []),
    ...(gained.length > 0 ? [{ impact: 'minor' as const, place, message: `also for ${gained.join(', ')}` }] : []),
  ];
});
