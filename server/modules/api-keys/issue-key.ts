/**
 * Creation and rotation of API keys. Called by the handlers, by change-key.ts and, as `issueApiKey`, through the index
 * by the demo tenant of `make start` and by tests. `issueApiKey` checks no rights; `createKey` does. Only the MAC of a
 * secret is stored, so a lost secret cannot be shown again. Refuses beyond the quota (`key_limit`).
 */
import type { RealTime } from '../../base/time.ts';
import type { Secrets } from '../../base/secrets.ts';
import { uuidv7 } from '../../base/uuid.ts';
import type { components } from '../../contract/generated/types.ts';
import { actorOf, type AnyPrincipal } from '../../contract/operation.ts';
import { Problem } from '../../contract/problem.ts';
import type { Transaction } from '../../database/index.ts';
import { generateApiKey, macOfApiKey } from '../../identity/api-key.ts';
import { API_KEY_PEPPER } from '../../identity/credential-cache.ts';
import { personalDataOfGrant } from '../../identity/grantor.ts';
import { assertNetworks } from './allowlist.ts';
import { type ApiKeyRecord, assertAlive, assertNotRotating, graceEnd, readExpiry } from './api-key.ts';
import {
  assertMayGrant,
  assertMayManage,
  assertNoWiderThanCaller,
  cappedPersonalData,
  grantBy,
  lockManageableKey,
  sortedScopes,
} from './delegation.ts';
import { hasRoomForKey } from './quota-store.ts';
import { inheritKeySites, insertKey, type NewApiKey, startKeyRotation } from './store.ts';

/**
 * Specification of a new key. By default the key is a new client with its own quota, unless it succeeds another key or
 * another key creates it.
 */
export type KeySpecification = Omit<NewApiKey, 'id' | 'prefix' | 'secretMac' | 'clientId' | 'quotaClientId'> &
  Partial<Pick<NewApiKey, 'clientId' | 'quotaClientId'>>;

export interface IssuedKey {
  readonly key: ApiKeyRecord;
  /** Secret of the key, which is returned once and stored nowhere. */
  readonly secret: string;
}

/** Creates a key in the tenant of the transaction. The caller of this function has checked that it may be created. */
export async function issueApiKey(
  tx: Transaction,
  secrets: Secrets,
  specification: KeySpecification,
): Promise<IssuedKey> {
  const { prefix, secret } = generateApiKey(specification.environment);
  const secretMac = macOfApiKey(secrets.deriveKey(API_KEY_PEPPER), secret);
  const { clientId = prefix, quotaClientId = clientId } = specification;
  const key = await insertKey(tx, {
    ...specification,
    clientId,
    quotaClientId,
    id: uuidv7(),
    prefix,
    secretMac,
  });
  return { key, secret };
}

export async function createKey(
  tx: Transaction,
  secrets: Secrets,
  caller: AnyPrincipal,
  { wanted, now }: { readonly wanted: components['schemas']['ApiKeyCreate']; readonly now: RealTime },
): Promise<IssuedKey> {
  assertMayManage(caller, wanted.environment);
  assertMayGrant(caller, wanted.scopes);
  const { name, environment, pinEnvironment = false, personalData = 'masked', ipAllowlist = [] } = wanted;
  assertNetworks(ipAllowlist);
  assertPinnable(environment, pinEnvironment);
  const expiresAt = readExpiry(wanted.expiresAt ?? null, now);
  await assertNoWiderThanCaller(tx, caller, {
    expiresAt,
    ipAllowlist,
    environment,
    pinEnvironment,
    personalData,
  });
  if (!(await hasRoomForKey(tx, caller.tenantId, now))) throw new Problem('key_limit');
  return issueApiKey(tx, secrets, {
    tenantId: caller.tenantId,
    name,
    environment,
    scopes: sortedScopes(wanted.scopes),
    pinEnvironment,
    ipAllowlist,
    expiresAt,
    ...grantBy(caller, personalData),
    ...(caller.kind !== 'user' && { quotaClientId: caller.quotaOf }),
    createdBy: actorOf(caller),
    now,
  });
}

/** Rejects a test key that is pinned to live, because a test key works only in the sandbox. */
export function assertPinnable(environment: 'live' | 'test', pinEnvironment: boolean): void {
  if (environment === 'test' && pinEnvironment) {
    throw new Problem('validation_failed', {
      errors: [{ pointer: '/pinEnvironment', code: 'live_only', message: 'is for live keys only' }],
    });
  }
}

interface Rotated extends IssuedKey {
  readonly graceUntil: Date;
}

/** Creates a successor of a key for the same client. The old key keeps working until the grace period ends. */
export async function rotateKey(
  tx: Transaction,
  secrets: Secrets,
  caller: AnyPrincipal,
  { prefix, graceHours, now }: { prefix: string; graceHours: number; now: RealTime },
): Promise<Rotated> {
  const old = await lockManageableKey(tx, caller, prefix, now);
  assertNotRotating(old, now);
  assertAlive(old, now);
  assertMayGrant(caller, old.scopes);
  const personalData =
    caller.kind === 'user' ? cappedPersonalData(caller, personalDataOfGrant(old)) : personalDataOfGrant(old);
  await assertNoWiderThanCaller(tx, caller, { ...old, personalData });
  const { name, environment, scopes, pinEnvironment, ipAllowlist, expiresAt, clientId } = old;
  const issued = await issueApiKey(tx, secrets, {
    tenantId: caller.tenantId,
    name,
    environment,
    scopes,
    pinEnvironment,
    ipAllowlist,
    expiresAt,
    clientId,
    quotaClientId: caller.kind === 'user' ? old.quotaClientId : caller.quotaOf,
    ...grantBy(caller, personalData),
    createdBy: actorOf(caller),
    now,
  });
  void inheritKeySites(tx, caller.tenantId, { from: old.id, to: issued.key.id });
  const graceUntil = graceEnd(now, graceHours);
  await startKeyRotation(
    tx,
    { tenantId: caller.tenantId, id: old.id, now },
    { successorPrefix: issued.key.prefix, graceUntil },
  );
  return { ...issued, graceUntil };
}
