import type { Rule } from '../rule.ts';
import { operationSites } from '../walk.ts';

/** The gate of the second factor stands before people at a dashboard; nobody else can be let past it. */
export const mfaExempt: Rule = (contract, report) => {
  for (const { operation, pointer } of operationSites(contract)) {
    if (operation['x-mfa-exempt'] === undefined) continue;
    const dashboard = (operation.security ?? []).some((requirement) => 'bearerAuth' in requirement);
    if (!dashboard) report([...pointer, 'x-mfa-exempt'], 'Only an operation that accepts `bearerAuth` has a gate to be exempt from.');
  }
};
