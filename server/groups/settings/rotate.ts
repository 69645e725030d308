import { actorOf } from '../../contract/actor.ts';
import type { AnyPrincipal } from '../../contract/principal.ts';
import type { Transaction } from '../../database/index.ts';
import type { Secrets } from '../../secrets.ts';
import { assertWithinOwn } from './bounds.ts';
import { findManageable } from './find.ts';
import { issueApiKey, type IssuedKey } from './issue.ts';
import { assertAlive, assertNotRotating, graceEnd } from './life.ts';
import { assertMayGrant } from './scopes.ts';
import { startKeyRotation } from './store.ts';

export interface Rotated extends IssuedKey {
  readonly graceUntil: Date;
}

/** The successor takes the place of the old key, which works on until the grace is over. */
export async function rotateKey(
  tx: Transaction, secrets: Secrets, caller: AnyPrincipal, { prefix, graceHours, now }: { prefix: string; graceHours: number; now: Date },
): Promise<Rotated> {
  const old = await findManageable(tx, caller, prefix, now);
  assertNotRotating(old, now);
  assertAlive(old, now);
  assertMayGrant(caller, old.scopes);
  await assertWithinOwn(tx, caller, old);
  const { name, environment, scopes, pinEnvironment, ipAllowlist, expiresAt } = old;
  const issued = await issueApiKey(tx, secrets, {
    tenantId: caller.tenantId, name, environment, scopes, pinEnvironment, ipAllowlist, expiresAt, createdBy: actorOf(caller), now,
  });
  const graceUntil = graceEnd(now, graceHours);
  await startKeyRotation(tx, caller.tenantId, old.id, { successorPrefix: issued.key.prefix, graceUntil }, now);
  return { ...issued, graceUntil };
}
