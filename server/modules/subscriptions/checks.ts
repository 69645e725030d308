/**
 * What can be monitored, by the kind of the subject. Used by the stores of this module and, through the index, by
 * monitoring and businesses. A check that is missing here is never begun by an approval.
 */
import type { components } from '../../contract/generated/types.ts';
import type { Subject } from '../../rules/subject.ts';

export type Check = components['schemas']['MonitoringCheckInput'];

/** All checks of each kind of subject. */
export const CHECKS_OF: Readonly<Record<Subject['kind'], readonly Check[]>> = {
  application: ['sanctions', 'pep', 'document_expiry', 'risk_review'],
  business: ['registry_status', 'ownership_change', 'power_expiry', 'document_expiry', 'risk_review'],
};

/** Checks that a screening performs. */
export const CHECKS_BY_LISTS: readonly Check[] = ['sanctions', 'pep'];

/** Checks that a run performs, by a screening or by asking the registry; the others follow dates. */
export const CHECKS_OF_RUNS: readonly Check[] = [...CHECKS_BY_LISTS, 'registry_status', 'ownership_change'];

export function isCheckOfRuns(check: Check): boolean {
  return CHECKS_OF_RUNS.includes(check);
}
