import type { Environment } from '../../contract/operation.ts';
import { type Fragment, type Parameter, sql, statement, type Transaction } from '../../database/index.ts';
import { hasDecided } from './people-store.ts';
import { type CaseRecord, reviewCase } from './store.ts';

const columns = reviewCase.as('c').except('tenantId');

type OfCaller = { tenantId: string; environment: Environment; userId: string };

/**
 * Locks the first open case of some queues: the first due, then the oldest, whose id is the least. Cases that another
 * caller is taking are skipped, and so are those about an applicant whom the caller decided about.
 */
const take = (p: { readonly [M in keyof OfCaller]: Parameter<OfCaller[M]> }, ofQueues: Fragment): Fragment => sql`
  SELECT ${columns} FROM review_case c
  WHERE c.tenant_id = ${p.tenantId} AND c.environment = ${p.environment} AND c.status = 'open'
    AND c.erased_at IS NULL AND ${ofQueues} AND NOT ${hasDecided(p.userId)}
  ORDER BY c.due_at, c.id LIMIT 1 FOR UPDATE OF c SKIP LOCKED`;

const takeOfQueue = statement<OfCaller & { queue: string }, CaseRecord>('case.takeOfQueue', (p) =>
  take(p, sql`c.queue = ${p.queue}`),
);

/** Queues that the tenant has removed from the settings come last. */
const takeOfOthers = statement<OfCaller & { queues: readonly string[] }, CaseRecord>('case.takeOfOthers', (p) =>
  take(p, sql`c.queue <> ALL (${p.queues}::text[])`),
);

/** Locks the most urgent case of these queues, in their order, for the caller. Returns null if there is none. */
export async function takeFirst(
  tx: Transaction,
  caller: Omit<OfCaller, 'tenantId'>,
  { queues, isAll }: { readonly queues: readonly string[]; readonly isAll: boolean },
): Promise<CaseRecord | null> {
  const of = { ...caller, tenantId: tx.tenantId! };
  for (const queue of queues) {
    const [found] = await tx.run(takeOfQueue, { ...of, queue });
    if (found !== undefined) return found;
  }
  return isAll ? ((await tx.run(takeOfOthers, { ...of, queues }))[0] ?? null) : null;
}
