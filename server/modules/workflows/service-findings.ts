/** Refuses what the engine knows and the service connects to nothing. */
import { error, type Finding } from '../../workflow/finding.ts';
import type { Node, Program } from '../../workflow/program.ts';
import { isUnknownBinding } from './binding-types.ts';

/**
 * Returns what the engine executes and this service does not offer, so that a definition which needs it stays a draft.
 */
export function serviceFindings({ nodes, processes }: Program): readonly Finding[] {
  const isProcess = (id: string): boolean => processes.some((one) => one.id === id);
  return nodes.flatMap((node) => {
    const { id, type, scope, job, calls } = node;
    if (job !== undefined && isUnknownBinding(job.type)) {
      return [error('unknown_job_type', id, `The service has no work of the type ${job.type.slice(0, 60)}.`)];
    }
    if (job?.type === 'decision.table' && job.decision === undefined) {
      return [error('missing_job_type', id, 'The task names no decision table.')];
    }
    if (type === 'call' && calls === '') {
      return [error('unknown_called_process', id, 'The task names no process to call.')];
    }
    if (type === 'start' && isProcess(scope) && startsUnclearly(node)) {
      return [
        error('invalid_timer', id, 'A process starts by a date, a duration or a repetition that is written out.'),
      ];
    }
    const missing = missingOf(node);
    return missing === null ? [] : [error('unsupported_element', node.id, `The service does not offer ${missing}.`)];
  });
}

/** Whether a timer that starts a process would have to be computed, for which there are no variables yet. */
const startsUnclearly = ({ event }: Node): boolean =>
  event?.kind === 'timer' && (!('value' in event.time) || typeof event.time.value !== 'string');

function missingOf({ user }: Node): string | null {
  if (user?.assignee !== undefined || user?.due !== undefined) return 'assignees and times from expressions';
  return null;
}
