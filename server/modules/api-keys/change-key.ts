/**
 * Changes of an existing API key: patch, replacement of scopes, revocation. Called by the handlers of the module. Locks
 * the key, so that simultaneous changes follow each other. Every change by which a key would extend its own rights is
 * refused (`self_widening_forbidden`); a new member that widens a key needs a check here.
 */
import type { RealTime } from '../../base/time.ts';
import { isDeepStrictEqual } from 'node:util';
import type { components } from '../../contract/generated/types.ts';
import type { AnyPrincipal, Scope } from '../../contract/operation.ts';
import { Problem } from '../../contract/problem.ts';
import type { Transaction } from '../../database/index.ts';
import { personalDataOfGrant } from '../../identity/grantor.ts';
import { assertMatch } from '../../request/preconditions.ts';
import { assertAdmitsCaller, assertNetworks, isWider } from './allowlist.ts';
import { type ApiKeyRecord, assertAlive, readExpiry } from './api-key.ts';
import {
  assertMayGrant,
  assertNoNewScope,
  assertNoWiderThanCaller,
  cappedPersonalData,
  endOf,
  grantBy,
  isItself,
  isUnpinned,
  lockManageableKey,
  sortedScopes,
} from './delegation.ts';
import { assertPinnable } from './issue-key.ts';
import { hasOtherAdminKey, type KeyChange, replaceKeyScopes, revokeKey, updateKey } from './store.ts';

interface KeyChanged {
  readonly before: ApiKeyRecord;
  readonly after: ApiKeyRecord;
}

interface PatchRequest {
  readonly prefix: string;
  readonly ifMatch: string | undefined;
  readonly patch: components['schemas']['ApiKeyUpdate'];
  readonly clientIp: string;
  readonly now: RealTime;
}

/** Merges a patch (RFC 7396) into the members of a key that may change. */
export async function patchKey(
  tx: Transaction,
  caller: AnyPrincipal,
  { prefix, ifMatch, patch, clientIp, now }: PatchRequest,
): Promise<KeyChanged> {
  const before = await lockManageableKey(tx, caller, prefix, now);
  assertAlive(before, now);
  assertMatch(ifMatch, before.version);
  const uncovers = patch.personalData === 'full' && personalDataOfGrant(before) === 'masked';
  const grant = uncovers ? grantBy(caller, 'full') : before;
  const change: KeyChange = {
    grantedBy: grant.grantedBy,
    grantedRole: grant.grantedRole,
    personalData: patch.personalData ?? before.personalData,
    name: patch.name ?? before.name,
    pinEnvironment: patch.pinEnvironment ?? before.pinEnvironment,
    ipAllowlist: patch.ipAllowlist ?? before.ipAllowlist,
    expiresAt: patch.expiresAt === undefined ? before.expiresAt : readExpiry(patch.expiresAt, now),
  };
  assertNetworks(patch.ipAllowlist ?? []);
  assertPinnable(before.environment, change.pinEnvironment);
  if (isItself(caller, prefix)) {
    if (patch.force !== true) assertAdmitsCaller(change.ipAllowlist, clientIp);
    assertNotWidened(before, change, uncovers);
  } else if (
    uncovers ||
    endOf(change) > endOf(before) ||
    isWider(before.ipAllowlist, change.ipAllowlist) ||
    isUnpinned(before, change)
  ) {
    const { environment } = before;
    await assertNoWiderThanCaller(tx, caller, {
      ...change,
      environment,
      personalData: uncovers || caller.kind !== 'user' ? change.personalData : 'masked',
    });
  }
  return { before, after: await updateKey(tx, { tenantId: caller.tenantId, id: before.id, now }, change) };
}

/** Rejects a change by which a key widens itself, because a thief must not be able to extend a stolen key. */
function assertNotWidened(before: KeyChange, after: KeyChange, uncovers: boolean): void {
  if (uncovers) throw new Problem('self_widening_forbidden', { detail: 'The key cannot show itself more of persons.' });
  if (isUnpinned(before, after))
    throw new Problem('self_widening_forbidden', { detail: 'The key cannot release itself from live.' });
  if (endOf(after) > endOf(before))
    throw new Problem('self_widening_forbidden', { detail: 'The key cannot prolong itself.' });
  if (isWider(before.ipAllowlist, after.ipAllowlist)) {
    throw new Problem('self_widening_forbidden', { detail: 'The key cannot allow itself more addresses.' });
  }
}

interface ReplaceScopesRequest {
  readonly prefix: string;
  readonly ifMatch: string | undefined;
  readonly scopes: readonly Scope[];
  readonly now: RealTime;
}

export async function replaceScopes(
  tx: Transaction,
  caller: AnyPrincipal,
  { prefix, ifMatch, scopes, now }: ReplaceScopesRequest,
): Promise<KeyChanged> {
  const before = await lockManageableKey(tx, caller, prefix, now);
  assertAlive(before, now);
  const wanted = sortedScopes(scopes);
  // A request that repeats a change that has taken effect succeeds, whatever version it names (RFC 9110 §13.1.1).
  if (isDeepStrictEqual(wanted, sortedScopes(before.scopes)) && !takesOver(caller, before))
    return { before, after: before };
  assertMatch(ifMatch, before.version);
  if (isItself(caller, prefix)) assertNoNewScope(before.scopes, scopes);
  assertMayGrant(caller, scopes);
  if (scopes.some((scope) => !before.scopes.includes(scope)))
    await assertNoWiderThanCaller(tx, caller, caller.kind === 'user' ? { ...before, personalData: 'masked' } : before);
  const grant =
    caller.kind === 'user' ? grantBy(caller, cappedPersonalData(caller, personalDataOfGrant(before))) : before;
  const key = { tenantId: caller.tenantId, id: before.id, now };
  return { before, after: await replaceKeyScopes(tx, key, wanted, grant) };
}

/**
 * Returns whether a user takes over the key by confirming its scopes, because its grantor has left or has another role.
 */
function takesOver(caller: AnyPrincipal, { grantedRole, grantorRole }: ApiKeyRecord): boolean {
  return caller.kind === 'user' && (grantorRole === null || grantorRole !== grantedRole);
}

interface Revocation {
  /** Key that was revoked; null if it was revoked before, because repeating a revocation changes nothing. */
  readonly revokedKey: ApiKeyRecord | null;
  /**
   * Whether the caller revoked itself and no other key can administer the tenant. People still can, so the revocation
   * is not refused.
   */
  readonly wasLastAdmin: boolean;
}

export async function revokeApiKey(
  tx: Transaction,
  caller: AnyPrincipal,
  prefix: string,
  now: RealTime,
): Promise<Revocation> {
  const key = await lockManageableKey(tx, caller, prefix, now);
  assertOwn(caller, key);
  if (key.status === 'revoked') return { revokedKey: null, wasLastAdmin: false };
  await revokeKey(tx, { tenantId: caller.tenantId, id: key.id, now });
  const administered = isItself(caller, prefix) && key.scopes.includes('admin');
  return { revokedKey: key, wasLastAdmin: administered && !(await hasOtherAdminKey(tx, caller.tenantId, key, now)) };
}

/**
 * Rejects the revocation of a colleague's key by a developer. Developers may revoke the test keys that they created.
 */
function assertOwn(caller: AnyPrincipal, { createdBy }: ApiKeyRecord): void {
  if (caller.kind === 'user' && caller.role === 'developer' && createdBy.id !== caller.userId) {
    throw new Problem('role_forbidden', { detail: 'Developers revoke test keys that they created themselves.' });
  }
}
