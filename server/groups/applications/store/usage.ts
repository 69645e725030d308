import { statement, type Transaction } from '../../../database/index.ts';

/** What production uses; the sandbox does not count. */
const LIVE_APPLICATIONS = `SELECT count(*) FROM application WHERE tenant_id = ? AND environment = 'live' AND created_at >= ? AND created_at < ?`;
const LIVE_STORAGE = `SELECT coalesce(sum(size_bytes), 0)::bigint FROM document
  WHERE tenant_id = ? AND environment = 'live' AND status <> 'erased' AND created_at >= ? AND created_at < ?`;

/** Of rows that were created from one instant on and before another; a quota of null is none, and nothing is counted then. */
interface Range {
  readonly tenantId: string;
  readonly from: Date;
  readonly until: Date;
}

export interface Standing {
  readonly quota: number | null;
  readonly used: number;
}

export interface Measure {
  readonly name: 'applicationsPerMonth' | 'storageGb';
  readonly standing: (tx: Transaction, range: Range) => Promise<Standing>;
  readonly used: (tx: Transaction, range: Range) => Promise<number>;
}

export const applicationsPerMonth = measure('applicationsPerMonth', LIVE_APPLICATIONS, 1);
export const storageGb = measure('storageGb', LIVE_STORAGE, 1024 ** 3);

function measure(name: Measure['name'], sum: string, unit: number): Measure {
  const standing = statement<{ tenantId: string; from: Date; until: Date }, Standing>(`quota.${name}`, (knex, { tenantId, from, until }) => knex.raw(`
    SELECT (quotas->>'${name}')::bigint * ${unit} AS quota, CASE WHEN quotas->>'${name}' IS NULL THEN 0 ELSE (${sum}) END AS used
    FROM tenant WHERE id = ?`, [tenantId, from, until, tenantId] as never[]));
  const used = statement<{ tenantId: string; from: Date; until: Date }, { used: number }>(`usage.${name}`, (knex, { tenantId, from, until }) =>
    knex.raw(`SELECT (${sum}) AS used`, [tenantId, from, until] as never[]));
  return {
    name,
    standing: async (tx, range) => (await tx.run(standing, { ...range }))[0] as Standing,
    used: async (tx, range) => (await tx.run(used, { ...range }))[0]?.used ?? 0,
  };
}

const lock = statement<{ tenantId: string; quota: string }>('quota.lock', (knex, p) =>
  knex.raw(`SELECT pg_advisory_xact_lock(hashtextextended(?::text || ' ' || ?::text, 0))`, [p.quota as never, p.tenantId as never]));

/** Until the end of the transaction whoever else wants the rest of this quota waits. */
export function lockQuota(tx: Transaction, tenantId: string, quota: Measure['name']): void {
  void tx.run(lock, { tenantId, quota });
}
