import type { AnyPrincipal } from '../../contract/principal.ts';
import { Problem } from '../../http/problem.ts';

type KeyEnvironment = 'live' | 'test';

/** A test key sees the sandbox only, and so no live keys; a key that is pinned to live no test keys. Null: the caller sees both kinds. */
export function onlyVisible(caller: AnyPrincipal): KeyEnvironment | null {
  if (caller.kind === 'user') return null;
  return caller.keyEnvironment === 'test' ? 'test' : caller.pinEnvironment ? 'live' : null;
}

/** Developers manage test keys; a test key must not lead to production, nor one that is pinned there to the sandbox. */
export function assertMayManage(caller: AnyPrincipal, environment: KeyEnvironment): void {
  if (environment === 'live' && caller.kind === 'user' && caller.role === 'developer') {
    throw new Problem('role_forbidden', { detail: 'Developers manage test keys only.' });
  }
  const visible = onlyVisible(caller);
  if (visible === null || visible === environment) return;
  throw new Problem('scope_escalation', { detail: visible === 'test' ? 'A test key cannot create live keys.' : 'A key that is pinned to live cannot create test keys.' });
}
