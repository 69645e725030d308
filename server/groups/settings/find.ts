import type { AnyPrincipal } from '../../contract/principal.ts';
import type { Transaction } from '../../database/index.ts';
import { Problem } from '../../http/problem.ts';
import type { ApiKeyRecord } from './api-key.ts';
import { assertMayManage, onlyVisible } from './reach.ts';
import { lockKey } from './store.ts';

/** The key that the caller wants to change, locked. What it cannot see does not exist for it. */
export async function findManageable(tx: Transaction, caller: AnyPrincipal, prefix: string, now: Date): Promise<ApiKeyRecord> {
  const key = await lockKey(tx, caller.tenantId, prefix, now);
  const visible = onlyVisible(caller);
  if (key === null || (visible !== null && key.environment !== visible)) throw new Problem('not_found');
  assertMayManage(caller, key.environment);
  return key;
}
