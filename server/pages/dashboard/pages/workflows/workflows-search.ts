/** State of the page of workflows in the URL: which instances it shows. */
import type { Schemas } from '../../core/api.ts';
import { oneOf } from '../../core/search.ts';

export const STATUSES = [
  'active',
  'suspended',
  'completed',
  'cancelled',
  'erased',
] as const satisfies readonly Schemas['WorkflowInstanceStatusFilter'][];

export interface WorkflowsSearch {
  readonly status?: (typeof STATUSES)[number] | undefined;
  readonly stopped?: 'true' | undefined;
}

export function workflowsSearch(search: Readonly<Record<string, unknown>>): WorkflowsSearch {
  return { status: oneOf(STATUSES, search['status']), stopped: oneOf(['true'], String(search['stopped'])) };
}
