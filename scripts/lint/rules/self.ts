import type { Rule } from '../rule.ts';
import { operationSites, parametersOf } from '../walk.ts';

/** What a person may do with the own record whatever the role: the path names whose record it is. */
export const self: Rule = (contract, report) => {
  for (const site of operationSites(contract)) {
    const { operation, pointer } = site;
    const name = operation['x-self'];
    if (name === undefined) continue;
    if (!parametersOf(contract, site).some((p) => p.in === 'path' && p.name === name)) report([...pointer, 'x-self'], `\`${name}\` is no path parameter of the operation.`);
    if (!(operation.security ?? []).some((requirement) => 'bearerAuth' in requirement)) report([...pointer, 'x-self'], 'Only who signs in with `bearerAuth` has an own record.');
  }
};
