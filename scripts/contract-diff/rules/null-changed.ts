import { isNullable } from '../../generate/schema.ts';
import type { DiffRule } from '../change.ts';
import { directedPairs } from '../directed-pairs.ts';

/** Null may be sent where it could not, or may come where it did not. */
export const nullChanged: DiffRule = (base, revision) => directedPairs(base, revision).flatMap(({ place, direction, ...pair }) => {
  if (!isWritten(pair.base) || !isWritten(pair.revision)) return [];
  const [before, after] = [isNullable(pair.base), isNullable(pair.revision)];
  if (before === after) return [];
  const breaks = direction === 'request' ? before : after;
  return [{ impact: breaks ? 'major' : 'minor', place, message: `${direction === 'request' ? 'may' : 'can'} ${after ? 'be null' : 'no longer be null'}` }];
});

/** Says which values it has, instead of leaving everything open. */
function isWritten({ type, oneOf, $ref }: { readonly type?: unknown; readonly oneOf?: unknown; readonly $ref?: unknown }): boolean {
  return type !== undefined || oneOf !== undefined || $ref !== undefined;
}
