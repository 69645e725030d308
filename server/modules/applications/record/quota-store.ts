/**
 * Statements that measure what a tenant uses of its quotas, and the lock on a quota. Used by quotas.ts only. Only live
 * usage counts.
 */
import { lockUntilCommit } from '../../../database/advisory-lock.ts';
import { type Fragment, knex, type ParametersOf, sql, statement, type Transaction } from '../../../database/index.ts';

/** Rows that were created at or after `from` and before `until`. */
type Range = {
  readonly tenantId: string;
  readonly from: Date;
  readonly until: Date;
};

interface QuotaUse {
  /** Null if the tenant has no quota; `used` is then 0, because nothing is counted. */
  readonly quota: number | null;
  readonly used: number;
}

export interface Measure {
  readonly name: 'applicationsPerMonth' | 'storageGb';
  readonly quotaUse: (tx: Transaction, range: Range) => Promise<QuotaUse>;
  readonly used: (tx: Transaction, range: Range) => Promise<number>;
}

/** Measures of live usage. Usage of the sandbox does not count. */
export const applicationsPerMonth = measure(
  'applicationsPerMonth',
  1,
  (p) => sql`
  SELECT count(*) FROM application WHERE tenant_id = ${p.tenantId} AND environment = 'live' AND created_at >= ${p.from}
    AND created_at < ${p.until}`,
);
export const storageGb = measure(
  'storageGb',
  1024 ** 3,
  (p) => sql`
  SELECT coalesce(sum(size_bytes), 0)::bigint FROM document
  WHERE tenant_id = ${p.tenantId} AND environment = 'live' AND status <> 'erased' AND file_erased_at IS NULL
    AND created_at >= ${p.from} AND created_at < ${p.until}`,
);

function measure(name: Measure['name'], unit: number, sum: (p: ParametersOf<Range>) => Fragment): Measure {
  const quota = knex.raw(`quotas->>'${name}'`);
  const quotaUse = statement<Range, QuotaUse>(
    `quota.${name}`,
    (p) => sql`
    SELECT (${quota})::bigint * ${unit} AS quota, CASE WHEN ${quota} IS NULL THEN 0 ELSE (${sum(p)}) END AS used
    FROM tenant WHERE id = ${p.tenantId}`,
  );
  const used = statement<Range, { used: number }>(`usage.${name}`, (p) => sql`SELECT (${sum(p)}) AS used`);
  return {
    name,
    quotaUse: async (tx, range) => (await tx.run(quotaUse, range))[0] as QuotaUse,
    used: async (tx, range) => (await tx.run(used, range))[0]?.used ?? 0,
  };
}

/** Locks a quota of a tenant until the transaction ends. Other transactions near the same quota wait. */
export function lockQuota(tx: Transaction, tenantId: string, quota: Measure['name']): void {
  void lockUntilCommit(tx, quota, tenantId);
}
