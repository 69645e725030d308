import type { AnyPrincipal } from '../../contract/principal.ts';
import type { Transaction } from '../../database/index.ts';
import type { ApiKeyRecord } from './api-key.ts';
import { findManageable } from './find.ts';
import { revokeKey } from './store.ts';

/** The key that this ended, or null when it was revoked before: repeating a revocation changes nothing. */
export async function revoke(tx: Transaction, caller: AnyPrincipal, prefix: string, now: Date): Promise<ApiKeyRecord | null> {
  const key = await findManageable(tx, caller, prefix, now);
  if (key.state === 'revoked') return null;
  await revokeKey(tx, caller.tenantId, key.id, now);
  return key;
}
