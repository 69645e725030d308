import { operations } from '../../contract/generated/operations.ts';
import { Problem } from '../../http/problem.ts';
import type { ApplicationStatus } from './application.ts';

type Step = 'submitApplication' | 'withdrawApplication';
const STEPS: readonly Step[] = ['submitApplication', 'withdrawApplication'];

/** Applications that are being decided: a person has at most one of them in an environment. */
export const ACTIVE = ['submitted', 'in_review', 'needs_information', 'pending_approval'] as const satisfies readonly ApplicationStatus[];

/** The machine is in the contract, as `x-state-transitions` of each operation. */
function transitionsOf(step: Step): { readonly from: readonly ApplicationStatus[]; readonly to: ApplicationStatus } {
  return operations[step].transitions;
}

export function allowedTransitions(status: ApplicationStatus): ApplicationStatus[] {
  return STEPS.map(transitionsOf).filter(({ from }) => from.includes(status)).map(({ to }) => to);
}

/** The status that the operation leads to, or 409 when it does not start from the current one. */
export function nextStatus(step: Step, current: ApplicationStatus): ApplicationStatus {
  const { from, to } = transitionsOf(step);
  if (!from.includes(current)) {
    throw new Problem('invalid_state_transition', { currentStatus: current, allowedTransitions: allowedTransitions(current) });
  }
  return to;
}

export function assertEditable(status: ApplicationStatus): void {
  if (status !== 'draft') throw new Problem('application_not_editable', { editableFields: [] });
}

/** Evidence is added until somebody has decided, or the application has ended otherwise. */
export function assertOpen(status: ApplicationStatus): void {
  if (status !== 'draft' && !ACTIVE.some((active) => active === status)) throw new Problem('application_closed');
}
