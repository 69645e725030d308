import { sql, statement, type Transaction } from '../database/index.ts';
import type { Caller } from './caller.ts';

const require = statement<{ tenantId: string; status: string; sandboxEnabled: boolean; clockOffsetSeconds: number | null }>('tenant.requireState', (p) => sql`
  SELECT require_tenant_state(${p.tenantId}::uuid, ${p.status}::text, ${p.sandboxEnabled}::boolean, coalesce(${p.clockOffsetSeconds}::bigint, (SELECT sandbox_clock_offset_seconds FROM tenant WHERE id = ${p.tenantId}::uuid)))`);

/**
 * What was remembered of the tenant decided whether the call may come in, in which environment it works and what time it is there.
 * This asks in the transaction whether it still is so: `TenantChanged` when not, and nothing that the transaction did lasts. Calls that
 * move the clock take turns and read it when theirs has come; many of them at once would send one another back for ever.
 */
export async function requireTenantState(tx: Transaction, { principal: { tenantId }, tenantState }: Caller, { movesClock }: { readonly movesClock: boolean }): Promise<void> {
  const { tenantStatus: status, sandboxEnabled, sandboxClockOffsetSeconds } = tenantState;
  await tx.run(require, { tenantId, status, sandboxEnabled, clockOffsetSeconds: movesClock ? null : sandboxClockOffsetSeconds });
}
