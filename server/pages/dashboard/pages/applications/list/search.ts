/**
 * The filters of the list of applications in its address. Used by the list, its saved filters and shell/routes.tsx. A
 * filter that is not valid is left out.
 */
import type { Schemas } from '../../../core/api.ts';
import { dayIn, oneOf, textIn } from '../../../core/search.ts';
import type { Level, Status } from '../words.ts';

type Sort = Schemas['ApplicationSort'];
type RiskLevel = Schemas['RiskLevelFilter'];
type Environment = Schemas['EnvironmentFilter'];

/** Filters of the list in the URL. */
export interface ApplicationsSearch {
  readonly status?: readonly Status[] | undefined;
  readonly level?: Level | undefined;
  readonly risk?: RiskLevel | undefined;
  readonly externalId?: string | undefined;
  readonly taxId?: string | undefined;
  /** First and last day of creation, both included. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly environment?: Environment | undefined;
  readonly sort?: Sort | undefined;
}

export const STATUSES: readonly Status[] = [
  'draft',
  'submitted',
  'in_review',
  'needs_information',
  'pending_approval',
  'approved',
  'rejected',
  'withdrawn',
  'expired',
];
export const LEVELS: readonly Level[] = ['basic', 'standard', 'enhanced'];
export const RISKS: readonly RiskLevel[] = ['low', 'medium', 'high', 'prohibited'];
export const SORTS: readonly Sort[] = ['-createdAt', 'createdAt', '-updatedAt', 'updatedAt', '-riskScore', 'riskScore'];

/** Takes the valid filters from a URL or from storage. */
export function applicationsSearch(search: Readonly<Record<string, unknown>>): ApplicationsSearch {
  const status = (Array.isArray(search['status']) ? search['status'] : [search['status']]).flatMap(
    (value: unknown) => oneOf(STATUSES, value) ?? [],
  );
  return {
    status: status.length > 0 ? STATUSES.filter((one) => status.includes(one)) : undefined,
    level: oneOf(LEVELS, search['level']),
    risk: oneOf(RISKS, search['risk']),
    externalId: textIn(search['externalId'])?.slice(0, 128),
    taxId:
      textIn(search['taxId'])
        ?.replaceAll(/[^0-9A-Za-z]/g, '')
        .slice(0, 40) || undefined,
    from: dayIn(search['from']),
    to: dayIn(search['to']),
    environment: oneOf(['live', 'sandbox'], search['environment']),
    sort: oneOf(SORTS, search['sort']),
  };
}

/** Returns whether any filter narrows the list. The order does not count. */
export function isFiltered({ sort: _order, ...filters }: ApplicationsSearch): boolean {
  return Object.values(filters).some((value) => value !== undefined);
}

/** Converts the filters to parameters of the service. */
export function parametersOf({ status, risk, from, to, taxId, ...same }: ApplicationsSearch, mayUseTaxId: boolean) {
  return {
    ...same,
    limit: 100,
    ...(status !== undefined && { status: [...status] }),
    ...(risk !== undefined && { riskLevel: [risk] }),
    ...(taxId !== undefined && mayUseTaxId && { taxId }),
    ...(from !== undefined && { createdAfter: startOfDay(from) }),
    ...(to !== undefined && { createdBefore: startOfDay(to, 1) }),
  };
}

/** Returns the start of a day in the user's time zone. */
function startOfDay(day: string, later = 0): string {
  const start = new Date(`${day}T00:00:00`);
  start.setDate(start.getDate() + later);
  return start.toISOString();
}
