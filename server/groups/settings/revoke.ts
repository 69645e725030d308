import type { AnyPrincipal } from '../../contract/principal.ts';
import type { Transaction } from '../../database/index.ts';
import { Problem } from '../../http/problem.ts';
import type { ApiKeyRecord } from './api-key.ts';
import { findManageable } from './find.ts';
import { hasOtherAdminKey } from './remaining-keys.ts';
import { isItself } from './scopes.ts';
import { revokeKey } from './store.ts';

export interface Revocation {
  /** The key that this ended, or null when it was revoked before: repeating a revocation changes nothing. */
  readonly ended: ApiKeyRecord | null;
  /** The tenant's machines can administer nothing any more. People still can, so that it is no reason to refuse. */
  readonly wasLastAdmin: boolean;
}

export async function revoke(tx: Transaction, caller: AnyPrincipal, prefix: string, now: Date): Promise<Revocation> {
  const key = await findManageable(tx, caller, prefix, now);
  assertOwn(caller, key);
  if (key.status === 'revoked') return { ended: null, wasLastAdmin: false };
  await revokeKey(tx, caller.tenantId, key.id, now);
  const administered = isItself(caller, prefix) && key.scopes.includes('admin');
  return { ended: key, wasLastAdmin: administered && !await hasOtherAdminKey(tx, caller.tenantId, key, now) };
}

/** Developers end the test keys that they made, and not what their colleagues work with. */
function assertOwn(caller: AnyPrincipal, { createdBy }: ApiKeyRecord): void {
  if (caller.kind === 'user' && caller.role === 'developer' && createdBy.id !== caller.userId) {
    throw new Problem('role_forbidden', { detail: 'Developers revoke test keys that they created themselves.' });
  }
}
