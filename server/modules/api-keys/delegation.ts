/**
 * Who may grant which rights to an API key, and who may manage which keys. Used by creation, change and listing of
 * keys. No caller grants more than they have (`scope_escalation`), and a key sees only the keys of the environments in
 * which it works. A mistake here lets a stolen key create a more powerful one.
 */
import type { RealTime } from '../../base/time.ts';
import { type AnyPrincipal, type PersonalData, type Scope } from '../../contract/operation.ts';
import { Problem } from '../../contract/problem.ts';
import type { Transaction } from '../../database/index.ts';
import type { KeyEnvironment } from '../../identity/api-key.ts';
import { isWider } from './allowlist.ts';
import type { ApiKeyRecord } from './api-key.ts';
import { findKeyRestrictions, type KeyGrant, lockKey, type NewApiKey } from './store.ts';

/** Returns whether the scopes include the wanted one. `admin` includes all scopes. */
export function covers(held: readonly Scope[], wanted: Scope): boolean {
  return held.includes(wanted) || held.includes('admin');
}

/** Sorts scopes alphabetically without duplicates, so that two sets of scopes are equal if their lists are equal. */
export function sortedScopes(scopes: readonly Scope[]): Scope[] {
  return [...new Set(scopes)].sort();
}

const ALL: readonly Scope[] = ['admin'];
/** Scopes of a developer, who works in the sandbox and has no administrative rights. */
const DEVELOPER: readonly Scope[] = ['kyb', 'read', 'screening', 'write'];

/** Returns the scopes of the caller, who may grant no others. */
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

/** Returns whether the caller is this key, or a token issued for it. */
export function isItself(caller: AnyPrincipal, prefix: string): boolean {
  return caller.kind !== 'user' && caller.prefix === prefix;
}

/**
 * Rejects added scopes, even scopes that `admin` includes today, because a leaked key must not extend its own scopes.
 */
export function assertNoNewScope(current: readonly Scope[], next: readonly Scope[]): void {
  const added = next.filter((scope) => !current.includes(scope));
  if (added.length > 0)
    throw new Problem('self_widening_forbidden', { detail: `The key cannot add ${added.join(', ')} to itself.` });
}

/**
 * Returns the only environment whose keys the caller sees; null if it sees both. A test key sees only the sandbox, and
 * a key that is pinned to live sees no test keys.
 */
export function visibleEnvironmentOf(caller: AnyPrincipal): KeyEnvironment | null {
  if (caller.kind === 'user') return null;
  if (caller.keyEnvironment === 'test') return 'test';
  return caller.pinEnvironment ? 'live' : null;
}

/**
 * Rejects a caller that may not manage keys of an environment: developers manage only test keys, a test key must not
 * create access to live mode, and a key that is pinned to live must not create access to the sandbox.
 */
export function assertMayManage(caller: AnyPrincipal, environment: KeyEnvironment): void {
  if (environment === 'live' && caller.kind === 'user' && caller.role === 'developer') {
    throw new Problem('role_forbidden', { detail: 'Developers manage test keys only.' });
  }
  const visible = visibleEnvironmentOf(caller);
  if (visible === null || visible === environment) return;
  throw new Problem('scope_escalation', {
    detail:
      visible === 'test'
        ? 'A test key cannot create live keys.'
        : 'A key that is pinned to live cannot create test keys.',
  });
}

/** Returns the grant of a new key: a user grants as themselves, and a key as the person who granted it. */
export function grantBy(caller: AnyPrincipal, personalData: PersonalData): Pick<NewApiKey, keyof KeyGrant> {
  if (caller.kind === 'user') return { grantedBy: caller.userId, grantedRole: caller.role, personalData };
  const [grantedRole] = caller.grantor.roles;
  if (grantedRole === undefined) throw new TypeError('a key for which nobody answers was let in');
  return { grantedBy: caller.grantor.userId, grantedRole, personalData };
}

/** Limits the access to personal data of a key to that of the person who takes it over. */
export function cappedPersonalData(caller: AnyPrincipal, personalData: PersonalData): PersonalData {
  return caller.personalData === 'full' ? personalData : 'masked';
}

/** Restrictions of a key: expiry, addresses, environments and access to personal data. */
interface KeyRestrictions {
  readonly expiresAt: Date | null;
  readonly ipAllowlist: readonly string[];
  readonly environment: 'live' | 'test';
  readonly pinEnvironment: boolean;
  readonly personalData: PersonalData;
}

async function restrictionsOfCaller(
  tx: Transaction,
  caller: Exclude<AnyPrincipal, { kind: 'user' }>,
): Promise<KeyRestrictions> {
  const own = await findKeyRestrictions(tx, caller.tenantId, caller.prefix);
  if (own === null) throw new Problem('not_found');
  return { ...own, personalData: caller.personalData };
}

const WIDER: readonly (readonly [(own: KeyRestrictions, wanted: KeyRestrictions) => boolean, string])[] = [
  [(own, wanted) => endOf(wanted) > endOf(own), 'ends when that key ends, or before'],
  [(own, wanted) => isWider(own.ipAllowlist, wanted.ipAllowlist), 'works from addresses of that key only'],
  [
    (own, wanted) => own.environment !== wanted.environment && own.environment === 'test',
    'stays in the sandbox as that key does',
  ],
  [isUnpinned, 'never leaves live either'],
  [
    (own, wanted) => own.personalData === 'masked' && wanted.personalData === 'full',
    'is shown personal data masked as that key is',
  ],
];

/**
 * Rejects a key that is less restricted than the key that creates it: otherwise a thief could turn a stolen key into
 * one that never expires, works from any address, or sees more. People are restricted by their session instead, but
 * cannot grant access to personal data that they lack.
 */
export async function assertNoWiderThanCaller(
  tx: Transaction,
  caller: AnyPrincipal,
  wanted: KeyRestrictions,
): Promise<void> {
  if (caller.kind === 'user') {
    if (wanted.personalData === 'full' && caller.personalData === 'masked')
      throw new Problem('scope_escalation', {
        detail: 'The caller is shown personal data masked and cannot grant them in full.',
      });
    return;
  }
  const own = await restrictionsOfCaller(tx, caller);
  const [, rule] = WIDER.find(([isWiderThan]) => isWiderThan(own, wanted)) ?? [];
  if (rule !== undefined)
    throw new Problem('self_widening_forbidden', { detail: `What a key makes or widens ${rule}.` });
}

/** Restrictions that people cannot have, as the refusal names them. */
const RESTRICTED: readonly (readonly [(own: KeyRestrictions) => boolean, string])[] = [
  [({ expiresAt }) => expiresAt !== null, 'that ends'],
  [({ ipAllowlist }) => ipAllowlist.length > 0, 'with an address list'],
  [({ environment }) => environment === 'test', 'of the sandbox'],
  [({ pinEnvironment }) => pinEnvironment, 'that is pinned to live'],
  [({ personalData }) => personalData === 'masked', 'that is shown personal data masked'],
];

/**
 * Rejects a restricted key that changes members, because the people whom it invites do not inherit its restrictions.
 */
export async function assertUnrestrictedCaller(tx: Transaction, caller: AnyPrincipal): Promise<void> {
  if (caller.kind === 'user') return;
  const own = await restrictionsOfCaller(tx, caller);
  const [, restriction] = RESTRICTED.find(([isRestricted]) => isRestricted(own)) ?? [];
  if (restriction !== undefined)
    throw new Problem('scope_escalation', {
      detail: `A key ${restriction} does not change people, who would not be bound like it.`,
    });
}

export function endOf({ expiresAt }: Pick<KeyRestrictions, 'expiresAt'>): number {
  return expiresAt?.getTime() ?? Number.POSITIVE_INFINITY;
}

export function isUnpinned(
  before: Pick<KeyRestrictions, 'pinEnvironment'>,
  after: Pick<KeyRestrictions, 'pinEnvironment'>,
): boolean {
  return before.pinEnvironment && !after.pinEnvironment;
}

/** Locks the key that the caller wants to change. Throws a 404 problem if the caller may not see the key. */
export async function lockManageableKey(
  tx: Transaction,
  caller: AnyPrincipal,
  prefix: string,
  now: RealTime,
): Promise<ApiKeyRecord> {
  const key = await lockKey(tx, caller.tenantId, prefix, now);
  const visible = visibleEnvironmentOf(caller);
  if (key === null || (visible !== null && key.environment !== visible)) throw new Problem('not_found');
  assertMayManage(caller, key.environment);
  return key;
}
