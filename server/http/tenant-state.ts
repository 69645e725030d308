import { statement, type Transaction } from '../database/index.ts';
import type { Caller } from './caller.ts';

const require = statement<{ tenantId: string; status: string; sandboxEnabled: boolean; clockOffsetSeconds: number }>('tenant.requireState', (knex, p) =>
  knex.raw('SELECT require_tenant_state(?::uuid, ?::text, ?::boolean, ?::bigint)', [p.tenantId, p.status, p.sandboxEnabled, p.clockOffsetSeconds]));

/**
 * What was remembered of the tenant decided whether the call may come in, in which environment it works and what time it is there.
 * This asks in the transaction whether it still is so: `TenantChanged` when not, and nothing that the transaction did lasts.
 */
export async function requireTenantState(tx: Transaction, { principal: { tenantId }, tenantState }: Caller): Promise<void> {
  const { tenantStatus: status, sandboxEnabled, sandboxClockOffsetSeconds: clockOffsetSeconds } = tenantState;
  await tx.run(require, { tenantId, status, sandboxEnabled, clockOffsetSeconds });
}
