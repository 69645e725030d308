import { isDeepStrictEqual } from 'node:util';
import type { AnyPrincipal, Scope } from '../../contract/principal.ts';
import type { Transaction } from '../../database/index.ts';
import { assertMatch } from '../../http/etag.ts';
import { shownBy } from '../../http/grantor.ts';
import type { ApiKeyRecord } from './api-key.ts';
import { assertWithinOwn } from './bounds.ts';
import { findManageable } from './find.ts';
import { atMost, grantBy } from './grant.ts';
import { assertAlive } from './life.ts';
import { assertMayGrant, assertNoNewScope, isItself, sortedScopes } from './scopes.ts';
import { replaceKeyScopes } from './store.ts';
import type { Changed } from './update.ts';

interface Request {
  readonly prefix: string;
  readonly ifMatch: string | undefined;
  readonly scopes: readonly Scope[];
  readonly now: Date;
}

export async function replaceScopes(tx: Transaction, caller: AnyPrincipal, { prefix, ifMatch, scopes, now }: Request): Promise<Changed> {
  const before = await findManageable(tx, caller, prefix, now);
  assertAlive(before, now);
  const wanted = sortedScopes(scopes);
  // A repetition of what has taken effect changes nothing, whatever version it was meant for (RFC 9110 §13.1.1).
  if (isDeepStrictEqual(wanted, sortedScopes(before.scopes)) && !takesOver(caller, before)) return { before, after: before };
  assertMatch(ifMatch, before.version);
  if (isItself(caller, prefix)) assertNoNewScope(before.scopes, scopes);
  assertMayGrant(caller, scopes);
  if (scopes.some((scope) => !before.scopes.includes(scope))) await assertWithinOwn(tx, caller, caller.kind === 'user' ? { ...before, personalData: 'masked' } : before);
  const grant = caller.kind === 'user' ? grantBy(caller, atMost(caller, shownBy(before))) : before;
  return { before, after: await replaceKeyScopes(tx, caller.tenantId, before.id, wanted, grant, now) };
}

/** A person who says that a key shall have the scopes that it has takes it over from a grantor who left or got another role. */
function takesOver(caller: AnyPrincipal, { grantedRole, grantorRole }: ApiKeyRecord): boolean {
  return caller.kind === 'user' && (grantorRole === null || grantorRole !== grantedRole);
}
