import type { Rule } from '../rule.ts';
import { operationSites } from '../walk.ts';

/** Which dashboard roles may call stands at the operation; a dashboard operation that no role may call is a mistake. */
export const roles: Rule = (contract, report) => {
  const known = new Set(contract.components.schemas?.['Role']?.enum ?? []);
  for (const { operation, pointer } of operationSites(contract)) {
    const stated = operation['x-roles'];
    if (stated === undefined) { report(pointer, 'State `x-roles`.'); continue; }
    const dashboard = (operation.security ?? []).some((requirement) => 'bearerAuth' in requirement);
    if (dashboard !== stated.length > 0) report([...pointer, 'x-roles'], dashboard ? 'Name the roles that may call.' : 'Roles need the scheme `bearerAuth`.');
    if (stated.includes('platform_admin') && stated.length === 1 && operation['x-human-only'] !== true) report([...pointer, 'x-roles'], 'What only platform staff may do states `x-human-only: true`.');
    for (const role of stated) if (!known.has(role)) report([...pointer, 'x-roles'], `\`${role}\` is not a role.`);
  }
};
