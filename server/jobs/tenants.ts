import { DatabaseUnavailable, knex, PLATFORM_TENANT_ID, sql, statement, type Database, type TenantInTurn } from '../database/index.ts';

const PAGE = 500;

interface TenantRow {
  readonly id: string;
  readonly sandbox_clock_offset_seconds: number;
}

const next = statement<{ after: string; statuses: readonly string[] }, TenantRow>('job.tenants', (p) =>
  knex('tenant').select('id', 'sandbox_clock_offset_seconds').where(sql`id > ${p.after}`)
    .where(sql`status = ANY(${p.statuses}::text[])`).orderBy('id').limit(PAGE));

/** Those that work. */
const OPEN = ['onboarding', 'active'];
/** What the law lets us keep no longer goes whether its tenant still works or not. */
export const EVERY_STATUS = [...OPEN, 'suspended', 'closed'];

/**
 * Every tenant that is neither suspended nor closed, unless other statuses are given, without the platform's own; the sum of
 * what the work answers for each. A tenant whose work fails holds up no other: the failure comes at the end.
 */
export async function forEachTenant(database: Database, signal: AbortSignal, work: (tenant: TenantInTurn) => Promise<number>, statuses: readonly string[] = OPEN): Promise<number> {
  let sum = 0;
  let failure: Error | null = null;
  // No tenant has the nil UUID, and the list of ids is walked in their order.
  let after = '00000000-0000-0000-0000-000000000000';
  for (;;) {
    const page = await database.platform({ tenantId: null, readOnly: true }, (tx) => tx.run(next, { after, statuses }));
    for (const { id, sandbox_clock_offset_seconds } of page) {
      if (signal.aborted) return sum;
      after = id;
      if (id === PLATFORM_TENANT_ID) continue;
      try {
        sum += await work({ id, sandboxAheadMilliseconds: sandbox_clock_offset_seconds * 1000 });
      } catch (error) {
        if (error instanceof DatabaseUnavailable) throw error;
        failure ??= new Error(`it failed for the tenant ${id}, perhaps for others too`, { cause: error });
      }
    }
    if (page.length < PAGE) break;
  }
  if (failure !== null) throw failure;
  return sum;
}
