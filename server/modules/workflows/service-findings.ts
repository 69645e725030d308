/** Refuses what the engine knows and the service does not yet connect to anything. */
import { error, type Finding } from '../../workflow/finding.ts';
import type { Node, Program } from '../../workflow/program.ts';
import { isUnknownBinding } from './binding-types.ts';

/**
 * Returns what the engine executes and this release of the service does not offer yet, so that a definition which needs
 * it stays a draft.
 */
export function serviceFindings({ nodes, processes }: Program): readonly Finding[] {
  const isProcess = (id: string): boolean => processes.some((one) => one.id === id);
  return nodes.flatMap((node) => {
    const { id, type, job, calls } = node;
    if (job !== undefined && isUnknownBinding(job.type)) {
      return [error('unknown_job_type', id, `The service has no work of the type ${job.type.slice(0, 60)}.`)];
    }
    if (job?.type === 'decision.table' && job.decision === undefined) {
      return [error('missing_job_type', id, 'The task names no decision table.')];
    }
    if (type === 'call' && calls === '') {
      return [error('unknown_called_process', id, 'The task names no process to call.')];
    }
    const missing = missingOf(node, isProcess);
    return missing === null
      ? []
      : [error('unsupported_element', node.id, `The service does not offer ${missing} yet.`)];
  });
}

function missingOf({ type, scope, event, user }: Node, isProcess: (id: string) => boolean): string | null {
  if (event?.kind === 'signal') return 'signals';
  if (event?.kind === 'message' && (type === 'throw' || type === 'end')) return 'messages from processes';
  if (type === 'start' && event?.kind === 'message' && isProcess(scope)) return 'starts by messages';
  if (type === 'start' && event?.kind === 'timer') return 'starts by time';
  if (user?.assignee !== undefined || user?.due !== undefined) return 'assignees and times from expressions';
  return null;
}
