/** The filters of the alerts in the address. Used by monitoring-page.tsx and shell/routes.tsx. */
import type { Schemas } from '../../core/api.ts';
import { oneOf } from '../../core/search.ts';

export const STATUSES = [
  'open',
  'acknowledged',
  'escalated',
  'dismissed',
  'resolved',
] as const satisfies readonly Schemas['AlertStatusFilter'][];
export const SEVERITIES = [
  'critical',
  'high',
  'medium',
  'low',
  'info',
] as const satisfies readonly Schemas['AlertSeverityFilter'][];
export const KINDS = [
  'sanctions',
  'pep',
  'not_comparable',
  'document_expiry',
  'risk_review',
  'registry_status',
  'ownership_change',
  'power_expiry',
] as const satisfies readonly Schemas['AlertKindFilter'][];

/** State of the monitoring page in the URL: the filters of the alerts. By default unhandled alerts are shown. */
export interface MonitoringSearch {
  readonly status?: (typeof STATUSES)[number] | 'all' | undefined;
  readonly severity?: (typeof SEVERITIES)[number] | undefined;
  readonly kind?: (typeof KINDS)[number] | undefined;
}

export function monitoringSearch(search: Readonly<Record<string, unknown>>): MonitoringSearch {
  return {
    status: oneOf([...STATUSES, 'all'], search['status']),
    severity: oneOf(SEVERITIES, search['severity']),
    kind: oneOf(KINDS, search['kind']),
  };
}
