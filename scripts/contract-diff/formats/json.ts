import { verdictOf } from '../change.ts';
import { isAcceptable } from '../comparison.ts';
import type { Format } from './index.ts';

/** For programs. */
export const json: Format = (comparison, locate) => {
  const { verdict, from, to, needed, changes } = comparison;
  return JSON.stringify({
    verdict,
    acceptable: isAcceptable(comparison),
    version: { base: from, revision: to, needed },
    changes: changes.map((change) => ({
      verdict: verdictOf([change]), ...change, policy: change.policy ?? false, line: locate(change), pointer: undefined, removedFrom: undefined, component: undefined,
    })),
  }, null, 2);
};
