/** State of the page of reports in the URL: its filters. */
import type { Schemas } from '../../core/api.ts';
import { oneOf } from '../../core/search.ts';

export const KINDS = [
  'suspicious_operation',
  'cash_operation',
  'non_occurrence',
] as const satisfies readonly Schemas['ReportKindFilter'][];
export const STATUSES = [
  'draft',
  'decided_report',
  'decided_no_report',
  'filed',
] as const satisfies readonly Schemas['ReportStatusFilter'][];

export interface ReportsSearch {
  readonly status?: (typeof STATUSES)[number] | undefined;
  readonly kind?: (typeof KINDS)[number] | undefined;
  readonly late?: 'true' | undefined;
}

export function reportsSearch(search: Readonly<Record<string, unknown>>): ReportsSearch {
  return {
    status: oneOf(STATUSES, search['status']),
    kind: oneOf(KINDS, search['kind']),
    late: oneOf(['true'], String(search['late'])),
  };
}

/** Returns the parameters of the list for the filters of the URL. */
export function reportParameters({ status, kind, late }: ReportsSearch) {
  return {
    limit: 50,
    ...(status !== undefined && { status: [status] }),
    ...(kind !== undefined && { kind: [kind] }),
    ...(late !== undefined && { late: true }),
  };
}
