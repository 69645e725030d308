import type { Schemas } from '../../core/api.ts';
import { oneOf, textIn } from '../../core/search.ts';

export const STATUSES = [
  'open',
  'in_progress',
  'on_hold',
  'pending_approval',
  'resolved',
] as const satisfies readonly Schemas['CaseStatusFilter'][];
export const TYPES = [
  'application_review',
  'business_review',
  'screening_hit',
  'monitoring_alert',
  'risk_increase',
  'quality_review',
  'ad_hoc',
] as const satisfies readonly Schemas['CaseTypeFilter'][];
export const SORTS = ['queue', 'dueAt', '-createdAt', '-updatedAt'] as const satisfies readonly Schemas['CaseSort'][];

/** State of the page of cases in the URL: its filters and its order. By default cases that need work are shown. */
export interface CasesSearch {
  readonly status?: (typeof STATUSES)[number] | 'all' | undefined;
  readonly type?: (typeof TYPES)[number] | undefined;
  readonly queue?: string | undefined;
  readonly assignee?: 'me' | 'none' | undefined;
  readonly late?: 'true' | undefined;
  readonly sort?: (typeof SORTS)[number] | undefined;
}

export function casesSearch(search: Readonly<Record<string, unknown>>): CasesSearch {
  return {
    status: oneOf([...STATUSES, 'all'], search['status']),
    type: oneOf(TYPES, search['type']),
    queue:
      textIn(search['queue'])
        ?.replaceAll(/[^a-z0-9_-]/g, '')
        .slice(0, 40) || undefined,
    assignee: oneOf(['me', 'none'], search['assignee']),
    late: oneOf(['true'], String(search['late'])),
    sort: oneOf(SORTS, search['sort']),
  };
}

/** Returns the parameters of the list for the filters of the URL. */
export function caseParameters({ status, type, queue, assignee, late, sort }: CasesSearch) {
  return {
    limit: 50,
    sort: sort ?? ('queue' as const),
    status: [...statusesOf(status)],
    ...(type !== undefined && { type: [type] }),
    ...(queue !== undefined && { queue: [queue] }),
    ...(assignee !== undefined && { assigneeId: assignee }),
    ...(late !== undefined && { slaBreached: true }),
  };
}

/** Returns the statuses to list. Without a choice, these are all but the resolved. */
function statusesOf(chosen: CasesSearch['status']): readonly (typeof STATUSES)[number][] {
  if (chosen === undefined) return STATUSES.filter((status) => status !== 'resolved');
  return chosen === 'all' ? STATUSES : [chosen];
}

export function isFiltered({ sort: _order, ...filters }: CasesSearch): boolean {
  return Object.values(filters).some((value) => value !== undefined);
}
