import type { AnyPrincipal, Scope } from '../../contract/principal.ts';
import { Problem } from '../../http/problem.ts';

/** `admin` includes the other scopes. */
export function covers(held: readonly Scope[], wanted: Scope): boolean {
  return held.includes(wanted) || held.includes('admin');
}

/** In alphabetical order, each once: two sets of scopes are equal when their lists are. */
export function sortedScopes(scopes: readonly Scope[]): Scope[] {
  return [...new Set(scopes)].sort();
}

const ALL: readonly Scope[] = ['admin'];
/** A developer works in the sandbox and administers nothing. */
const DEVELOPER: readonly Scope[] = ['kyb', 'read', 'screening', 'write'];

/** What the caller itself may do, and so at most may give away. */
function heldBy(caller: AnyPrincipal): readonly Scope[] {
  if (caller.kind === 'user') return caller.role === 'developer' ? DEVELOPER : ALL;
  return caller.scopes;
}

export function assertMayGrant(caller: AnyPrincipal, scopes: readonly Scope[]): void {
  const held = heldBy(caller);
  const lacking = scopes.filter((scope) => !covers(held, scope));
  if (lacking.length > 0) {
    throw new Problem('scope_escalation', { detail: `The caller lacks ${lacking.join(', ')} and cannot grant it.` });
  }
}

/** Whether the caller is this key, or a token issued for it. */
export function isItself(caller: AnyPrincipal, prefix: string): boolean {
  return caller.kind !== 'user' && caller.prefix === prefix;
}

/** A leaked key must not make itself worth more, not even by a scope that `admin` happens to include today. */
export function assertNoNewScope(current: readonly Scope[], next: readonly Scope[]): void {
  const added = next.filter((scope) => !current.includes(scope));
  if (added.length > 0) throw new Problem('self_widening_forbidden', { detail: `The key cannot add ${added.join(', ')} to itself.` });
}
