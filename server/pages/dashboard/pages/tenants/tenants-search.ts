/** The filters of the page in its address. Used by tenants-page.tsx and shell/routes.tsx. */
import type { Schemas } from '../../core/api.ts';
import { oneOf, textIn } from '../../core/search.ts';

export const STATUSES = [
  'onboarding',
  'active',
  'suspended',
  'closed',
] as const satisfies readonly Schemas['TenantStatusFilter'][];
export const SORTS = ['name'] as const satisfies readonly Schemas['TenantSort'][];

/** State of the tenants page in the URL: the filters of the list. */
export interface TenantsSearch {
  readonly q?: string | undefined;
  readonly status?: (typeof STATUSES)[number] | undefined;
  readonly plan?: string | undefined;
  /** Newest first if absent. */
  readonly sort?: (typeof SORTS)[number] | undefined;
}

export function tenantsSearch(search: Readonly<Record<string, unknown>>): TenantsSearch {
  return {
    q: textIn(search['q']),
    status: oneOf(STATUSES, search['status']),
    plan: textIn(search['plan']),
    sort: oneOf(SORTS, search['sort']),
  };
}
