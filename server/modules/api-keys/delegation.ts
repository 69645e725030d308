import { type AnyPrincipal, type PersonalData, type Scope } from '../../contract/operation.ts';
import { Problem } from '../../contract/problem.ts';
import type { Transaction } from '../../database/index.ts';
import type { KeyEnvironment } from '../../identity/api-key.ts';
import { isWider } from './allowlist.ts';
import type { ApiKeyRecord } from './api-key.ts';
import { findKeyRestrictions, type KeyGrant, lockKey, type NewApiKey } from './store.ts';

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

/** The scopes that the caller has, which are the most that it may grant. */
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

/** A leaked key must not extend its own scopes, not even by a scope that `admin` includes today. */
export function assertNoNewScope(current: readonly Scope[], next: readonly Scope[]): void {
  const added = next.filter((scope) => !current.includes(scope));
  if (added.length > 0) throw new Problem('self_widening_forbidden', { detail: `The key cannot add ${added.join(', ')} to itself.` });
}

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

/** What a caller grants as its own: a person as themselves, a key as the person who granted it. */
export function grantBy(caller: AnyPrincipal, personalData: PersonalData): Pick<NewApiKey, keyof KeyGrant> {
  if (caller.kind === 'user') return { grantedBy: caller.userId, grantedRole: caller.role, personalData };
  const [grantedRole] = caller.grantor.roles;
  if (grantedRole === undefined) throw new TypeError('a key for which nobody answers was let in');
  return { grantedBy: caller.grantor.userId, grantedRole, personalData };
}

/** A person who takes over a key can grant at most the access to personal data that they have themselves. */
export function cappedPersonalData(caller: AnyPrincipal, personalData: PersonalData): PersonalData {
  return caller.personalData === 'full' ? personalData : 'masked';
}

/** When, from where and in which environments a key works, and how much of persons it is shown. */
interface KeyRestrictions {
  readonly expiresAt: Date | null;
  readonly ipAllowlist: readonly string[];
  readonly environment: 'live' | 'test';
  readonly pinEnvironment: boolean;
  readonly personalData: PersonalData;
}

async function restrictionsOfCaller(tx: Transaction, caller: Exclude<AnyPrincipal, { kind: 'user' }>): Promise<KeyRestrictions> {
  const own = await findKeyRestrictions(tx, caller.tenantId, caller.prefix);
  if (own === null) throw new Problem('not_found');
  return { ...own, personalData: caller.personalData };
}

const WIDER: readonly (readonly [(own: KeyRestrictions, given: KeyRestrictions) => boolean, string])[] = [
  [(own, given) => endOf(given) > endOf(own), 'ends when that key ends, or before'],
  [(own, given) => isWider(own.ipAllowlist, given.ipAllowlist), 'works from addresses of that key only'],
  [(own, given) => own.environment !== given.environment && own.environment === 'test', 'stays in the sandbox as that key does'],
  [isUnpinned, 'never leaves live either'],
  [(own, given) => own.personalData === 'masked' && given.personalData === 'full', 'is shown personal data masked as that key is'],
];

/**
 * A key cannot create a less restricted key: a thief could otherwise turn a stolen key into one that never expires, works from any
 * address, or sees more. People are restricted by their session instead, but cannot grant access to personal data that they lack.
 */
export async function assertNoWiderThanCaller(tx: Transaction, caller: AnyPrincipal, given: KeyRestrictions): Promise<void> {
  if (caller.kind === 'user') {
    if (given.personalData === 'full' && caller.personalData === 'masked') throw new Problem('scope_escalation', { detail: 'The caller is shown personal data masked and cannot grant them in full.' });
    return;
  }
  const own = await restrictionsOfCaller(tx, caller);
  const [, rule] = WIDER.find(([isWiderThan]) => isWiderThan(own, given)) ?? [];
  if (rule !== undefined) throw new Problem('self_widening_forbidden', { detail: `What a key makes or widens ${rule}.` });
}

/** People whom a key invites or promotes do not inherit its restrictions, so only an unrestricted key may change members. */
export async function assertUnrestrictedCaller(tx: Transaction, caller: AnyPrincipal): Promise<void> {
  if (caller.kind === 'user') return;
  const own = await restrictionsOfCaller(tx, caller);
  const bound = own.expiresAt !== null ? 'that ends' : own.ipAllowlist.length > 0 ? 'with an address list' : own.environment === 'test' ? 'of the sandbox'
    : own.pinEnvironment ? 'that is pinned to live' : own.personalData === 'masked' ? 'that is shown personal data masked' : null;
  if (bound !== null) throw new Problem('scope_escalation', { detail: `A key ${bound} does not change people, who would not be bound like it.` });
}

export function endOf({ expiresAt }: Pick<KeyRestrictions, 'expiresAt'>): number {
  return expiresAt?.getTime() ?? Number.POSITIVE_INFINITY;
}

export function isUnpinned(before: Pick<KeyRestrictions, 'pinEnvironment'>, after: Pick<KeyRestrictions, 'pinEnvironment'>): boolean {
  return before.pinEnvironment && !after.pinEnvironment;
}

/** Locks the key that the caller wants to change. A key that the caller may not see is answered with 404. */
export async function lockManageableKey(tx: Transaction, caller: AnyPrincipal, prefix: string, now: Date): Promise<ApiKeyRecord> {
  const key = await lockKey(tx, caller.tenantId, prefix, now);
  const visible = onlyVisible(caller);
  if (key === null || (visible !== null && key.environment !== visible)) throw new Problem('not_found');
  assertMayManage(caller, key.environment);
  return key;
}
