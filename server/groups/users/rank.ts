import type { AnyPrincipal, Role } from '../../contract/principal.ts';
import { Problem } from '../../http/problem.ts';

/** Only an owner makes, changes or removes an owner; a machine, whoever made its key, does not. */
export function assertMayTouch(caller: AnyPrincipal, ...roles: readonly (Role | undefined)[]): void {
  if (!roles.includes('owner') || (caller.kind === 'user' && caller.role === 'owner')) return;
  throw new Problem('role_above_own');
}

export function isSelf(caller: AnyPrincipal, userId: string): boolean {
  return caller.kind === 'user' && caller.userId === userId;
}
