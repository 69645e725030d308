import { actorOf } from '../../contract/actor.ts';
import type { AnyPrincipal } from '../../contract/principal.ts';
import { sql, statement, type Transaction } from '../../database/index.ts';
import type { Secrets } from '../../secrets.ts';
import { shownBy } from '../../http/grantor.ts';
import { assertWithinOwn } from './bounds.ts';
import { findManageable } from './find.ts';
import { atMost, grantBy } from './grant.ts';
import { issueApiKey, type IssuedKey } from './issue.ts';
import { assertAlive, assertNotRotating, graceEnd } from './life.ts';
import { assertMayGrant } from './scopes.ts';
import { startKeyRotation } from './store.ts';

/** The successor is expected where the old key was seen; elsewhere it is news. */
const inheritSites = statement<{ tenantId: string; from: string; to: string }>('apiKey.inheritSites', (p) => sql`
  INSERT INTO api_key_site (tenant_id, key_id, site, first_seen_at, last_seen_at)
  SELECT tenant_id, ${p.to}::uuid, site, first_seen_at, last_seen_at FROM api_key_site WHERE tenant_id = ${p.tenantId}::uuid AND key_id = ${p.from}::uuid`);

export interface Rotated extends IssuedKey {
  readonly graceUntil: Date;
}

/** The successor takes the place of the old key as the same client; the old one works on until the grace is over. */
export async function rotateKey(
  tx: Transaction, secrets: Secrets, caller: AnyPrincipal, { prefix, graceHours, now }: { prefix: string; graceHours: number; now: Date },
): Promise<Rotated> {
  const old = await findManageable(tx, caller, prefix, now);
  assertNotRotating(old, now);
  assertAlive(old, now);
  assertMayGrant(caller, old.scopes);
  const personalData = caller.kind === 'user' ? atMost(caller, shownBy(old)) : shownBy(old);
  await assertWithinOwn(tx, caller, { ...old, personalData });
  const { name, environment, scopes, pinEnvironment, ipAllowlist, expiresAt, clientId } = old;
  const issued = await issueApiKey(tx, secrets, {
    tenantId: caller.tenantId, name, environment, scopes, pinEnvironment, ipAllowlist, expiresAt, clientId,
    quotaClientId: caller.kind === 'user' ? old.quotaClientId : caller.quotaOf, ...grantBy(caller, personalData), createdBy: actorOf(caller), now,
  });
  void tx.run(inheritSites, { tenantId: caller.tenantId, from: old.id, to: issued.key.id });
  const graceUntil = graceEnd(now, graceHours);
  await startKeyRotation(tx, caller.tenantId, old.id, { successorPrefix: issued.key.prefix, graceUntil }, now);
  return { ...issued, graceUntil };
}
