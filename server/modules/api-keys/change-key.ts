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
  assertMayGrant, assertNoNewScope, assertNoWiderThanCaller, cappedPersonalData, endOf, grantBy, isItself, isUnpinned, lockManageableKey,
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
  readonly now: Date;
}

/** RFC 7396 on the five members that may change. */
export async function patchKey(tx: Transaction, caller: AnyPrincipal, { prefix, ifMatch, patch, clientIp, now }: PatchRequest): Promise<KeyChanged> {
  const before = await lockManageableKey(tx, caller, prefix, now);
  assertAlive(before, now);
  assertMatch(ifMatch, before.version);
  const uncovers = patch.personalData === 'full' && personalDataOfGrant(before) === 'masked';
  const grant = uncovers ? grantBy(caller, 'full') : before;
  const change: KeyChange = {
    grantedBy: grant.grantedBy, grantedRole: grant.grantedRole, personalData: patch.personalData ?? before.personalData,
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
  } else if (uncovers || endOf(change) > endOf(before) || isWider(before.ipAllowlist, change.ipAllowlist) || isUnpinned(before, change)) {
    const { environment } = before;
    await assertNoWiderThanCaller(tx, caller, { ...change, environment, personalData: uncovers || caller.kind !== 'user' ? change.personalData : 'masked' });
  }
  return { before, after: await updateKey(tx, caller.tenantId, before.id, change, now) };
}

/** A thief must not be able to extend a stolen key or to use it from another network. */
function assertNotWidened(before: KeyChange, after: KeyChange, uncovers: boolean): void {
  if (uncovers) throw new Problem('self_widening_forbidden', { detail: 'The key cannot show itself more of persons.' });
  if (isUnpinned(before, after)) throw new Problem('self_widening_forbidden', { detail: 'The key cannot release itself from live.' });
  if (endOf(after) > endOf(before)) throw new Problem('self_widening_forbidden', { detail: 'The key cannot prolong itself.' });
  if (isWider(before.ipAllowlist, after.ipAllowlist)) {
    throw new Problem('self_widening_forbidden', { detail: 'The key cannot allow itself more addresses.' });
  }
}

interface ReplaceScopesRequest {
  readonly prefix: string;
  readonly ifMatch: string | undefined;
  readonly scopes: readonly Scope[];
  readonly now: Date;
}

export async function replaceScopes(tx: Transaction, caller: AnyPrincipal, { prefix, ifMatch, scopes, now }: ReplaceScopesRequest): Promise<KeyChanged> {
  const before = await lockManageableKey(tx, caller, prefix, now);
  assertAlive(before, now);
  const wanted = sortedScopes(scopes);
  // A repetition of what has taken effect changes nothing, whatever version it was meant for (RFC 9110 §13.1.1).
  if (isDeepStrictEqual(wanted, sortedScopes(before.scopes)) && !takesOver(caller, before)) return { before, after: before };
  assertMatch(ifMatch, before.version);
  if (isItself(caller, prefix)) assertNoNewScope(before.scopes, scopes);
  assertMayGrant(caller, scopes);
  if (scopes.some((scope) => !before.scopes.includes(scope))) await assertNoWiderThanCaller(tx, caller, caller.kind === 'user' ? { ...before, personalData: 'masked' } : before);
  const grant = caller.kind === 'user' ? grantBy(caller, cappedPersonalData(caller, personalDataOfGrant(before))) : before;
  return { before, after: await replaceKeyScopes(tx, caller.tenantId, before.id, wanted, grant, now) };
}

/** A person who says that a key shall have the scopes that it has takes it over from a grantor who left or got another role. */
function takesOver(caller: AnyPrincipal, { grantedRole, grantorRole }: ApiKeyRecord): boolean {
  return caller.kind === 'user' && (grantorRole === null || grantorRole !== grantedRole);
}

interface Revocation {
  /** The key that this ended, or null when it was revoked before: repeating a revocation changes nothing. */
  readonly ended: ApiKeyRecord | null;
  /** No key of the tenant can administer it any more. People still can, so the revocation is not refused for it. */
  readonly wasLastAdmin: boolean;
}

export async function revokeApiKey(tx: Transaction, caller: AnyPrincipal, prefix: string, now: Date): Promise<Revocation> {
  const key = await lockManageableKey(tx, caller, prefix, now);
  assertOwn(caller, key);
  if (key.status === 'revoked') return { ended: null, wasLastAdmin: false };
  await revokeKey(tx, caller.tenantId, key.id, now);
  const administered = isItself(caller, prefix) && key.scopes.includes('admin');
  return { ended: key, wasLastAdmin: administered && !await hasOtherAdminKey(tx, caller.tenantId, key, now) };
}

/** Developers may revoke the test keys that they created, but not those of their colleagues. */
function assertOwn(caller: AnyPrincipal, { createdBy }: ApiKeyRecord): void {
  if (caller.kind === 'user' && caller.role === 'developer' && createdBy.id !== caller.userId) {
    throw new Problem('role_forbidden', { detail: 'Developers revoke test keys that they created themselves.' });
  }
}
