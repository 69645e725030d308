import type { components } from '../../contract/generated/types.ts';
import type { AnyPrincipal } from '../../contract/principal.ts';
import type { Transaction } from '../../database/index.ts';
import { assertMatch } from '../../http/etag.ts';
import { shownBy } from '../../http/grantor.ts';
import { Problem } from '../../http/problem.ts';
import { assertLetsIn, assertNetworks, isWider } from './allowlist.ts';
import type { ApiKeyRecord } from './api-key.ts';
import { assertWithinOwn, endOf, isUnpinned } from './bounds.ts';
import { assertPinnable } from './create.ts';
import { readExpiry } from './expiry.ts';
import { findManageable } from './find.ts';
import { grantBy } from './grant.ts';
import { assertAlive } from './life.ts';
import { isItself } from './scopes.ts';
import { updateKey, type KeyChange } from './store.ts';

export interface Changed {
  readonly before: ApiKeyRecord;
  readonly after: ApiKeyRecord;
}

interface Request {
  readonly prefix: string;
  readonly ifMatch: string | undefined;
  readonly patch: components['schemas']['ApiKeyUpdate'];
  readonly clientIp: string;
  readonly now: Date;
}

/** RFC 7396 on the five members that may change. */
export async function patchKey(tx: Transaction, caller: AnyPrincipal, { prefix, ifMatch, patch, clientIp, now }: Request): Promise<Changed> {
  const before = await findManageable(tx, caller, prefix, now);
  assertAlive(before, now);
  assertMatch(ifMatch, before.version);
  const uncovers = patch.personalData === 'full' && shownBy(before) === 'masked';
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
    if (patch.force !== true) assertLetsIn(change.ipAllowlist, clientIp);
    assertNotWidened(before, change, uncovers);
  } else if (uncovers || endOf(change) > endOf(before) || isWider(before.ipAllowlist, change.ipAllowlist) || isUnpinned(before, change)) {
    const { environment } = before;
    await assertWithinOwn(tx, caller, { ...change, environment, personalData: uncovers || caller.kind !== 'user' ? change.personalData : 'masked' });
  }
  return { before, after: await updateKey(tx, caller.tenantId, before.id, change, now) };
}

/** Whoever stole a key must not be able to keep it for longer or to use it from elsewhere. */
function assertNotWidened(before: KeyChange, after: KeyChange, uncovers: boolean): void {
  if (uncovers) throw new Problem('self_widening_forbidden', { detail: 'The key cannot show itself more of persons.' });
  if (isUnpinned(before, after)) throw new Problem('self_widening_forbidden', { detail: 'The key cannot release itself from live.' });
  if (endOf(after) > endOf(before)) throw new Problem('self_widening_forbidden', { detail: 'The key cannot prolong itself.' });
  if (isWider(before.ipAllowlist, after.ipAllowlist)) {
    throw new Problem('self_widening_forbidden', { detail: 'The key cannot allow itself more addresses.' });
  }
}
