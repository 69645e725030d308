import type { Operation, SchemeName } from '../contract/operation.ts';
import type { AnyPrincipal, Role, Scope } from '../contract/principal.ts';
import { insufficientScope } from './challenge.ts';
import { Problem } from './problem.ts';

/** Areas whose own scope also covers reading there. */
const AREA_SCOPES: Readonly<Record<string, Scope>> = { screenings: 'screening', monitoring: 'screening', businesses: 'kyb' };

/**
 * May this principal call this operation? Decided from the contract alone: scopes for machines, roles for people.
 * Which record it may touch is decided later, by the tenant's row-level security and by the group.
 */
export function authorizer(operation: Operation): (principal: AnyPrincipal) => void {
  const sufficient = { api_key: sufficientScopes(operation, 'apiKey'), oauth_client: sufficientScopes(operation, 'oauth2') };
  const roles = new Set<Role>(operation.roles);
  return (principal) => {
    if (principal.kind === 'user') {
      if (!roles.has(principal.role)) throw new Problem('role_forbidden');
      return;
    }
    if (operation.humanOnly) throw new Problem('human_required');
    const scopes = sufficient[principal.kind];
    if (scopes.length === 0 || principal.scopes.some((scope) => scope === 'admin' || scopes.includes(scope))) return;
    const problem = new Problem('insufficient_scope', { requiredScopes: scopes });
    throw principal.kind === 'oauth_client' ? problem.with(insufficientScope(scopes)) : problem;
  };
}

/** Any one of these is enough; `admin` includes all others. No scope named means none is needed. */
function sufficientScopes({ security, tag, method }: Operation, scheme: SchemeName): readonly Scope[] {
  const named = security.flatMap((requirement) => requirement[scheme] ?? []);
  if (named.length === 0) return [];
  const area = AREA_SCOPES[tag];
  return [...new Set(area !== undefined && method === 'get' && named.includes('read') ? [...named, area] : named)];
}
