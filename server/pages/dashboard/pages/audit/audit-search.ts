/**
 * The search in the audit log, as it stands in the address and as the service takes it. Used by the page, its filters
 * and dialogs. The service searches a limited number of days, so a longer period is shortened and the page says so.
 */
import type { Schemas } from '../../core/api.ts';
import { dayIn, oneOf, textIn } from '../../core/search.ts';

export const OUTCOMES = ['success', 'denied', 'failed'] as const satisfies readonly Schemas['AuditOutcomeFilter'][];
export const ACTOR_TYPES = [
  'user',
  'api_key',
  'oauth_client',
  'platform_user',
  'system',
] as const satisfies readonly Schemas['AuditActorTypeFilter'][];
export const ENVIRONMENTS = ['live', 'sandbox'] as const satisfies readonly Schemas['EnvironmentFilter'][];
export const SORTS = ['sequence'] as const satisfies readonly Schemas['AuditSort'][];
const SHOWN = ['verify', 'checkpoints', 'export'] as const;

/** State of the audit log in the URL: the search, and the open dialog. */
export interface AuditSearch {
  readonly action?: string | undefined;
  readonly outcome?: (typeof OUTCOMES)[number] | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly actorType?: (typeof ACTOR_TYPES)[number] | undefined;
  readonly actorId?: string | undefined;
  readonly resourceType?: string | undefined;
  readonly resourceId?: string | undefined;
  readonly environment?: (typeof ENVIRONMENTS)[number] | undefined;
  /** Newest first if absent. */
  readonly sort?: (typeof SORTS)[number] | undefined;
  readonly event?: string | undefined;
  readonly show?: (typeof SHOWN)[number] | undefined;
  /** Id of the requested export. */
  readonly export?: string | undefined;
}

export function auditSearch(search: Readonly<Record<string, unknown>>): AuditSearch {
  return {
    action: textIn(search['action']),
    outcome: oneOf(OUTCOMES, search['outcome']),
    from: dayIn(search['from']),
    to: dayIn(search['to']),
    actorType: oneOf(ACTOR_TYPES, search['actorType']),
    actorId: textIn(search['actorId']),
    resourceType: textIn(search['resourceType']),
    resourceId: textIn(search['resourceId']),
    environment: oneOf(ENVIRONMENTS, search['environment']),
    sort: oneOf(SORTS, search['sort']),
    event: textIn(search['event']),
    show: oneOf(SHOWN, search['show']),
    export: textIn(search['export']),
  };
}

const DAY_MS = 86_400_000;
/** Longest period that the service searches without another filter, minus one day, because a day can have 25 hours. */
const WIDEST_DAYS = 91;

export interface Days {
  readonly from?: string;
  readonly to?: string;
  /** Whether fewer days are searched than requested. */
  readonly isNarrowed: boolean;
}

/**
 * Returns the days of a search. If only one end is given, or both are too far apart, it is as many days as the service
 * accepts. Null for all days.
 */
export function daysOf({ from, to, resourceId }: AuditSearch): Days | null {
  if (from === undefined && to === undefined) return null;
  if (resourceId !== undefined)
    return { ...(from !== undefined && { from }), ...(to !== undefined && { to }), isNarrowed: false };
  if (from === undefined) return { from: shift(to ?? '', 1 - WIDEST_DAYS), to: to ?? '', isNarrowed: true };
  const last = shift(from, WIDEST_DAYS - 1);
  const until = to ?? shift(new Date().toISOString(), 1);
  return until > last ? { from, to: last, isNarrowed: true } : { from, to: until, isNarrowed: false };
}

function shift(day: string, days: number): string {
  return new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10);
}

/** Returns the parameters of the contract. Days are in the user's time zone, and the last one is included. */
export function parametersOf(search: AuditSearch) {
  const { action, from: _from, to: _to, event: _event, show: _show, export: _export, ...others } = search;
  const days = daysOf(search);
  return {
    ...others,
    limit: 25,
    ...(action !== undefined && { action: [action] }),
    ...(days?.from !== undefined && { from: startOf(days.from, 0) }),
    ...(days?.to !== undefined && { to: startOf(days.to, 1) }),
  };
}

/** Returns the filter of an export: the search without its order and pages. */
export function filterOf(search: AuditSearch): Schemas['AuditExportFilter'] {
  const { limit: _limit, sort: _sort, ...filter } = parametersOf(search);
  return Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== undefined));
}

function startOf(day: string, later: number): string {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  return new Date(year, month - 1, date + later).toISOString();
}
