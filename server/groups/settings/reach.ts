import type { AnyPrincipal } from '../../contract/principal.ts';
import { Problem } from '../../http/problem.ts';

type KeyEnvironment = 'live' | 'test';

/** A test key sees the sandbox only, and so no live keys; null means that the caller sees both kinds. */
export function onlyVisible(caller: AnyPrincipal): KeyEnvironment | null {
  return caller.kind !== 'user' && caller.keyEnvironment === 'test' ? 'test' : null;
}

/** Developers manage test keys, and a test key must not lead to production. */
export function assertMayManage(caller: AnyPrincipal, environment: KeyEnvironment): void {
  if (environment === 'test') return;
  if (caller.kind === 'user' && caller.role === 'developer') {
    throw new Problem('role_forbidden', { detail: 'Developers manage test keys only.' });
  }
  if (onlyVisible(caller) === 'test') throw new Problem('scope_escalation', { detail: 'A test key cannot create live keys.' });
}
