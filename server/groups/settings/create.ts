import { actorOf } from '../../contract/actor.ts';
import type { components } from '../../contract/generated/types.ts';
import type { AnyPrincipal } from '../../contract/principal.ts';
import type { Transaction } from '../../database/index.ts';
import { Problem } from '../../http/problem.ts';
import type { Secrets } from '../../secrets.ts';
import { assertNetworks } from './allowlist.ts';
import { assertWithinOwn } from './bounds.ts';
import { readExpiry } from './expiry.ts';
import { grantBy } from './grant.ts';
import { issueApiKey, type IssuedKey } from './issue.ts';
import { assertMayManage } from './reach.ts';
import { hasRoomForKey } from './remaining-keys.ts';
import { assertMayGrant, sortedScopes } from './scopes.ts';

export async function createKey(
  tx: Transaction, secrets: Secrets, caller: AnyPrincipal, wanted: components['schemas']['ApiKeyCreate'], now: Date,
): Promise<IssuedKey> {
  assertMayManage(caller, wanted.environment);
  assertMayGrant(caller, wanted.scopes);
  const { name, environment, pinEnvironment = false, personalData = 'masked', ipAllowlist = [] } = wanted;
  assertNetworks(ipAllowlist);
  assertPinnable(environment, pinEnvironment);
  const expiresAt = readExpiry(wanted.expiresAt ?? null, now);
  await assertWithinOwn(tx, caller, { expiresAt, ipAllowlist, environment, pinEnvironment, personalData });
  if (!await hasRoomForKey(tx, caller.tenantId, now)) throw new Problem('key_limit');
  return issueApiKey(tx, secrets, {
    tenantId: caller.tenantId, name, environment, scopes: sortedScopes(wanted.scopes), pinEnvironment, ipAllowlist, expiresAt,
    ...grantBy(caller, personalData), ...(caller.kind !== 'user' && { quotaClientId: caller.quotaOf }), createdBy: actorOf(caller), now,
  });
}

/** A test key never leaves the sandbox: pinning it to live would promise what cannot be kept. */
export function assertPinnable(environment: 'live' | 'test', pinEnvironment: boolean): void {
  if (environment === 'test' && pinEnvironment) {
    throw new Problem('validation_failed', {
      errors: [{ pointer: '/pinEnvironment', code: 'live_only', message: 'is for live keys only' }],
    });
  }
}
