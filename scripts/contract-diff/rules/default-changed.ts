import type { DiffRule } from '../change.ts';
import { directedPairs } from '../directed-pairs.ts';

/** A caller who leaves a value out gets another result than before. In an answer a default only informs. */
export const defaultChanged: DiffRule = (base, revision) => directedPairs(base, revision).flatMap(({ place, direction, ...pair }) => {
  const [was, is] = [JSON.stringify(pair.base.default), JSON.stringify(pair.revision.default)];
  return was === is ? [] : [{ impact: direction === 'request' ? 'major' : 'patch', place, message: `default was ${was ?? 'absent'} and is ${is ?? 'absent'}` }];
});
