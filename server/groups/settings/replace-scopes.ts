import type { AnyPrincipal, Scope } from '../../contract/principal.ts';
import type { Transaction } from '../../database/index.ts';
import { assertMatch } from '../../http/etag.ts';
import { assertWithinOwn } from './bounds.ts';
import { findManageable } from './find.ts';
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
  assertMatch(ifMatch, before.version);
  if (isItself(caller, prefix)) assertNoNewScope(before.scopes, scopes);
  assertMayGrant(caller, scopes);
  if (scopes.some((scope) => !before.scopes.includes(scope))) await assertWithinOwn(tx, caller, before);
  return { before, after: await replaceKeyScopes(tx, caller.tenantId, before.id, sortedScopes(scopes), now) };
}
