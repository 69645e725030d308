import { operations } from '../../contract/generated/operations.ts';
import type { OperationId, Role } from '../../contract/operation.ts';
import { Problem } from '../../contract/problem.ts';
import type { Caller } from '../../identity/caller.ts';
import { authorizer } from '../../request/authorize.ts';

/** Who reads the checklist. */
export type Reader = Pick<Caller, 'principal' | 'visible'>;

/** What a step is done with. */
export interface Doing {
  readonly operationId: OperationId;
  /** Where only people with these roles bring the step forward, although others may call the operation. */
  readonly roles?: readonly Role[];
}

/** Whether the reader may do it. The operation itself decides as it does when it is called; nothing here allows anything. */
export function callerMay({ operationId, roles }: Doing, { principal, visible }: Reader): boolean {
  if (roles !== undefined && (principal.kind !== 'user' || !roles.includes(principal.role))) return false;
  try {
    authorizer({ ...operations[operationId], operationId })({ principal, visible, owesSecondFactor: false }, []);
    return true;
  } catch (error) {
    if (error instanceof Problem) return false;
    throw error;
  }
}
