import type { Operation, PersonalData, Role } from '../contract/operation.ts';
import type { KeyEnvironment } from './api-key.ts';

/** The roles that work with persons. All others work with records and see personal data masked. */
const SHOWN_IN_FULL: ReadonlySet<Role> = new Set<Role>(['owner', 'compliance_officer', 'analyst', 'auditor']);

export function personalDataOfRole(role: Role): PersonalData {
  return SHOWN_IN_FULL.has(role) ? 'full' : 'masked';
}

/** Who is accountable for a key, and whether it is shown personal data in full. */
export interface Grant {
  /** Null for keys that were created on the host itself. */
  readonly grantedBy: string | null;
  /** The role of the grantor at the time; null when nobody is known. */
  readonly grantedRole: Role | null;
  /** The role of the grantor now; null when they have left. */
  readonly grantorRole: Role | null;
  readonly personalData: PersonalData;
}

export function hasGrantor({ grantedRole, grantorRole }: Grant): boolean {
  return grantedRole !== null && grantorRole !== null;
}

/** Both roles of the grantor; the key can do no more than either of them. */
export function rolesOf({ grantedRole, grantorRole }: Grant): Role[] {
  return [grantedRole, grantorRole].filter((role) => role !== null);
}

export function personalDataOfGrant(grant: Grant): PersonalData {
  return grant.personalData === 'full' && rolesOf(grant).every((role) => personalDataOfRole(role) === 'full') ? 'full' : 'masked';
}

/** Whether a role sets up integrations and may give keys rights that it does not have itself. Developers may do so in the sandbox. */
function setsUpIntegrations(role: Role, environment: KeyEnvironment): boolean {
  return administers(role) || (role === 'developer' && environment === 'test');
}

function administers(role: Role): boolean {
  return role === 'owner' || role === 'admin';
}

/**
 * What a role makes possible for the keys that it has granted, beside their scopes. Reading: what the role itself may read.
 * Administering (what `admin` alone allows): what the role itself may, if it administers. Other changes: also what integrations
 * do, which is what keys are made for.
 */
export function grantableBy({ method, roles, security }: Operation): (role: Role, environment: KeyEnvironment) => boolean {
  const own = new Set<Role>(roles);
  const scopes = security.flatMap(({ apiKey = [], oauth2 = [] }) => [...apiKey, ...oauth2]);
  if (method === 'get' || scopes.includes('read')) return (role) => own.has(role);
  if (scopes.every((scope) => scope === 'admin')) return (role) => administers(role) && own.has(role);
  return (role, environment) => own.has(role) || setsUpIntegrations(role, environment);
}
