import type { Operation, PersonalData, Role } from '../contract/operation.ts';

/** They work with people; the other roles work with records, and are shown enough to tell two of them apart. */
const SHOWN_IN_FULL: ReadonlySet<Role> = new Set<Role>(['owner', 'compliance_officer', 'analyst', 'auditor']);

export function personalDataOfRole(role: Role): PersonalData {
  return SHOWN_IN_FULL.has(role) ? 'full' : 'masked';
}

/** Who answers for a key, and how much of persons they let it be shown. */
export interface Grant {
  /** Null for keys that were made at the machine. */
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

/** A key is worth no more than either of them. */
export function rolesOf({ grantedRole, grantorRole }: Grant): Role[] {
  return [grantedRole, grantorRole].filter((role) => role !== null);
}

export function personalDataOfGrant(grant: Grant): PersonalData {
  return grant.personalData === 'full' && rolesOf(grant).every((role) => personalDataOfRole(role) === 'full') ? 'full' : 'masked';
}

type KeyEnvironment = 'live' | 'test';

/** Who sets up integrations, and gives them rights that they need not have personally. Developers do it in the sandbox. */
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
