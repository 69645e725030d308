import type { Operation, OperationId, Role, SchemeName, Scope } from '../../server/contract/operation.ts';
import type { Credential, PersonOptions, Tenant } from './service.ts';

export const schemesOf = ({ security }: Operation): readonly SchemeName[] => security.flatMap((requirement) => Object.keys(requirement) as SchemeName[]);

export const scopesOf = ({ security }: Operation, scheme: SchemeName): readonly Scope[] => security.flatMap((requirement) => requirement[scheme] ?? []);

/** A credential of this kind that may call the operation; nothing for a public one. */
export async function credentialOf(tenant: Tenant, operation: Operation, scheme = schemesOf(operation)[0]): Promise<Credential> {
  if (scheme === 'apiKey') return tenant.key(scopesOf(operation, scheme));
  if (scheme === 'oauth2') return tenant.client(scopesOf(operation, scheme));
  if (scheme !== 'bearerAuth') return {};
  const role = operation.roles.includes('owner') ? 'owner' : operation.roles[0] ?? 'owner';
  // Some calls end sessions or change the person, so it is one whom no other test needs.
  return personOf(tenant, operation, role, ENDING.has(operation.operationId) ? { purpose: operation.operationId } : {});
}

const ENDING: ReadonlySet<OperationId> = new Set(['logout', 'changePassword']);

/** A user with this role, who has a second factor if the operation asks for one. */
export function personOf(tenant: Tenant, { stepUp }: Operation, role: Role, options: PersonOptions = {}): Promise<Credential> {
  return tenant.user(role, stepUp ? { ...options, secondFactor: true } : options);
}
