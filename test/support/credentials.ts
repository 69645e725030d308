/** Credentials that may call an operation. Used by the tests of every operation. */
import type { Operation, OperationId, Role, SchemeName, Scope } from '../../server/contract/operation.ts';
import type { Credential, PersonOptions, Tenant } from './service.ts';

export const schemesOf = ({ security }: Operation): readonly SchemeName[] =>
  security.flatMap((requirement) => Object.keys(requirement) as SchemeName[]);

/** Returns the scopes any one of which suffices; the scope of an area also permits reading in it. */
export function scopesOf(operation: Operation, scheme: SchemeName): readonly Scope[] {
  const named = operation.security.flatMap((requirement) => requirement[scheme] ?? []);
  const own = AREA_SCOPES[operation.tag];
  return own !== undefined && operation.method === 'get' && named.includes('read') ? [...named, own] : named;
}

const AREA_SCOPES: Readonly<Record<string, Scope>> = {
  screenings: 'screening',
  monitoring: 'screening',
  businesses: 'kyb',
};

/** Returns a credential of this kind that may call the operation; no headers for a public operation. */
export async function credentialOf(
  tenant: Tenant,
  operation: Operation,
  scheme = schemesOf(operation)[0],
): Promise<Credential> {
  if (scheme === 'apiKey') return tenant.key(scopesOf(operation, scheme));
  if (scheme === 'oauth2') return tenant.client(scopesOf(operation, scheme));
  if (scheme !== 'bearerAuth') return {};
  const role = operation.roles.includes('owner') ? 'owner' : (operation.roles[0] ?? 'owner');
  // Some calls end sessions or change the person, so the person must not be used by other tests.
  return personOf(tenant, operation, role, ENDING.has(operation.operationId) ? { purpose: operation.operationId } : {});
}

const ENDING: ReadonlySet<OperationId> = new Set(['logout', 'changePassword']);

/** Returns a user with this role, with a second factor if the operation requires one. */
export function personOf(
  tenant: Tenant,
  { stepUp }: Operation,
  role: Role,
  options: PersonOptions = {},
): Promise<Credential> {
  return tenant.user(role, stepUp ? { ...options, secondFactor: true } : options);
}
