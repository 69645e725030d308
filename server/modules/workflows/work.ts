/** What workflows add to the work of a person. */
import { workParameters } from '../../tasks/work-store.ts';
import type { WorkEntry } from '../../tasks/work.ts';
import { listWaitingTasks } from './work-store.ts';

/** Tasks that the caller has claimed, and unclaimed ones that the caller's role may do. */
export const workflowWork: readonly WorkEntry[] = [
  {
    kind: 'workflow_task',
    list: (tx, query) => tx.run(listWaitingTasks, { ...workParameters(tx, query), role: query.caller.role }),
  },
];
