/**
 * Whether the reader of the checklist may perform a step, by the declarations of the contract. Used by checklist.ts to
 * show the next step. A hint only: the operation itself authorizes its caller.
 */
import { operations } from '../../contract/generated/operations.ts';
import type { OperationId, Role } from '../../contract/operation.ts';
import { Problem } from '../../contract/problem.ts';
import type { Caller } from '../../identity/caller.ts';
import { authorizer } from '../../request/authorize.ts';

/** Reader of the checklist. */
export type Reader = Pick<Caller, 'principal' | 'visible'>;

/** Operation that completes a step. */
export interface Doing {
  readonly operationId: OperationId;
  /** Set if only people with these roles can advance the step, although others may call the operation. */
  readonly roles?: readonly Role[];
}

/**
 * Returns whether the reader may call the operation. The result is a hint only: the operation itself checks
 * authorization when it is called.
 */
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
