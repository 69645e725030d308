/**
 * How the person who granted an API key limits it, without input or output. Used by authentication and the module
 * api-keys. A key never has more rights than its grantor had then and has now.
 */
import type { Operation, PersonalData, Role } from '../contract/operation.ts';
import type { KeyEnvironment } from './api-key.ts';

/** Roles that work with persons. All others work with records and see personal data masked. */
const SHOWN_IN_FULL: ReadonlySet<Role> = new Set<Role>(['owner', 'compliance_officer', 'analyst', 'auditor']);

export function personalDataOfRole(role: Role): PersonalData {
  return SHOWN_IN_FULL.has(role) ? 'full' : 'masked';
}

/** Accountable grantor of a key, and whether the key sees personal data in full. */
export interface Grant {
  /** Null for keys that were created on the host itself. */
  readonly grantedBy: string | null;
  /** Role of the grantor when the key was granted; null if no grantor is known. */
  readonly grantedRole: Role | null;
  /** Current role of the grantor; null if the person has left. */
  readonly grantorRole: Role | null;
  readonly personalData: PersonalData;
}

export function hasGrantor({ grantedRole, grantorRole }: Grant): boolean {
  return grantedRole !== null && grantorRole !== null;
}

/** Returns both roles of the grantor, each of which limits the key. */
export function rolesOf({ grantedRole, grantorRole }: Grant): Role[] {
  return [grantedRole, grantorRole].filter((role) => role !== null);
}

export function personalDataOfGrant(grant: Grant): PersonalData {
  return grant.personalData === 'full' && rolesOf(grant).every((role) => personalDataOfRole(role) === 'full')
    ? 'full'
    : 'masked';
}

/**
 * Tells whether a role sets up integrations and may give keys rights that it does not have itself. Developers may do so
 * in the sandbox.
 */
function setsUpIntegrations(role: Role, environment: KeyEnvironment): boolean {
  return administers(role) || (role === 'developer' && environment === 'test');
}

function administers(role: Role): boolean {
  return role === 'owner' || role === 'admin';
}

/**
 * Returns a function that tells whether a role allows the operation to the keys that it has granted, in addition to the
 * check of scopes. Reading is allowed if the role itself may read. Administering (which only `admin` allows) is allowed
 * if the role administers and may do so itself. Other changes are also allowed if integrations make them, because keys
 * exist for that.
 */
export function grantableBy({
  method,
  roles,
  security,
}: Operation): (role: Role, environment: KeyEnvironment) => boolean {
  const own = new Set<Role>(roles);
  const scopes = security.flatMap(({ apiKey = [], oauth2 = [] }) => [...apiKey, ...oauth2]);
  if (method === 'get' || scopes.includes('read')) return (role) => own.has(role);
  if (scopes.every((scope) => scope === 'admin')) return (role) => administers(role) && own.has(role);
  return (role, environment) => own.has(role) || setsUpIntegrations(role, environment);
}
