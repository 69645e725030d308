/** The filters of the team in the address. Used by the team page and shell/routes.tsx. */
import type { Schemas } from '../../core/api.ts';
import { oneOf, textIn } from '../../core/search.ts';

export const ROLES = [
  'owner',
  'admin',
  'compliance_officer',
  'analyst',
  'developer',
  'auditor',
  'viewer',
] as const satisfies readonly Schemas['RoleInput'][];
export const STATUSES = [
  'active',
  'invited',
  'locked',
  'deactivated',
] as const satisfies readonly Schemas['UserStatusFilter'][];
export const SORTS = ['-lastLoginAt', '-createdAt'] as const satisfies readonly Schemas['UserSort'][];
export const FACTORS = ['on', 'off'] as const;

/** State of the team page in the URL: the filters of the list. */
export interface TeamSearch {
  readonly q?: string | undefined;
  readonly role?: (typeof ROLES)[number] | undefined;
  readonly status?: (typeof STATUSES)[number] | undefined;
  readonly factor?: (typeof FACTORS)[number] | undefined;
  /** By name if absent. */
  readonly sort?: (typeof SORTS)[number] | undefined;
}

export function teamSearch(search: Readonly<Record<string, unknown>>): TeamSearch {
  return {
    q: textIn(search['q']),
    role: oneOf(ROLES, search['role']),
    status: oneOf(STATUSES, search['status']),
    factor: oneOf(FACTORS, search['factor']),
    sort: oneOf(SORTS, search['sort']),
  };
}

export function isFiltered({ q, role, status, factor }: TeamSearch): boolean {
  return [q, role, status, factor].some((value) => value !== undefined);
}
