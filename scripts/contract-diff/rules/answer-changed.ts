import type { Operation } from '../../generate/contract.ts';
import type { DiffRule } from '../change.ts';
import { operationPairs } from '../pairs.ts';

/** The SDKs type a method by the lowest success of its operation. */
export const answerChanged: DiffRule = (base, revision) => operationPairs(base, revision).flatMap(({ place, ...pair }) => {
  const [before, after] = [lowestSuccess(pair.base), lowestSuccess(pair.revision)];
  if (before === undefined || before === after) return [];
  return [{ impact: 'major', place, message: `the SDKs returned what came with ${before} and return what comes with ${after ?? 'nothing'}` }];
});

function lowestSuccess({ responses = {} }: Partial<Operation>): string | undefined {
  return Object.keys(responses).filter((status) => /^[23]/.test(status)).sort()[0];
}
