import { resolve } from '../../generate/contract.ts';
import type { RequestBody } from '../../generate/contract.ts';
import type { DiffRule } from '../change.ts';
import { operationPairs } from '../pairs.ts';

/** Callers that send nothing are refused where a body is demanded newly. */
export const requestBodyAdded: DiffRule = (base, revision) => operationPairs(base, revision).flatMap(({ place, ...pair }) => {
  if (pair.base.requestBody !== undefined || pair.revision.requestBody === undefined) return [];
  const { required = false } = resolve<RequestBody>(revision, pair.revision.requestBody);
  return [{ impact: required ? 'major' : 'minor', place, message: required ? 'demands a body' : 'takes a body' }];
});
