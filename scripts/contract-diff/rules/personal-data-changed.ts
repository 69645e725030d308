import type { DiffRule } from '../change.ts';
import { directedPairs } from '../directed-pairs.ts';

/** Logs of the service and of the SDKs redact what is marked: without the mark, personal data appears in them. */
export const personalDataChanged: DiffRule = (base, revision) => directedPairs(base, revision).flatMap(({ place, ...pair }) => {
  // What a reference names is a pair of its own.
  if ((pair.base.$ref === undefined) !== (pair.revision.$ref === undefined)) return [];
  const [before, after] = [pair.base['x-pii'] === true, pair.revision['x-pii'] === true];
  if (before === after) return [];
  return [{ impact: before ? 'major' : 'minor', place, message: before ? 'is no longer redacted in logs' : 'is redacted in logs' }];
});
