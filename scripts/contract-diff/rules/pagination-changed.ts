import type { DiffRule } from '../change.ts';
import { operationPairs } from '../pairs.ts';

/** With `x-pagination` an SDK method returns an iterator, without it a plain answer. */
export const paginationChanged: DiffRule = (base, revision) => operationPairs(base, revision).flatMap(({ place, ...pair }) => {
  const [before, after] = [pair.base['x-pagination']?.items, pair.revision['x-pagination']?.items];
  if (before === after) return [];
  return [{ impact: 'major', place, message: `pages by ${before ?? 'nothing'} became pages by ${after ?? 'nothing'}` }];
});
