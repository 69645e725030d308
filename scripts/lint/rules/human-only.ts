import type { Rule } from '../rule.ts';
import { operationSites } from '../walk.ts';

/** What only a person may do is not offered to machines. */
export const humanOnly: Rule = (contract, report) => {
  for (const { operation, pointer } of operationSites(contract)) {
    const machine = (operation.security ?? []).some((requirement) => !('bearerAuth' in requirement));
    if (operation['x-human-only'] === true && machine) report([...pointer, 'security'], 'A human-only operation accepts `bearerAuth` alone.');
    if (operation['x-human-only'] === undefined && !machine && (operation.security ?? []).length > 0) report(pointer, 'An operation for `bearerAuth` alone states `x-human-only: true`.');
  }
};
