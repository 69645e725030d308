import type { DiffRule } from '../change.ts';
import { operationPairs } from '../pairs.ts';

/** The SDKs repeat an idempotent call after a broken connection; without the key the same call may act twice. */
export const idempotencyChanged: DiffRule = (base, revision) => operationPairs(base, revision).flatMap(({ place, ...pair }) => {
  const [before, after] = [pair.base['x-idempotent'] === true, pair.revision['x-idempotent'] === true];
  if (before === after) return [];
  return [{ impact: before ? 'major' : 'minor', place, message: before ? 'no longer honours Idempotency-Key' : 'honours Idempotency-Key' }];
});
