import { statement, type Transaction } from '../../../database/index.ts';

/** What production uses; the sandbox does not count. */
const applications = `SELECT count(*) FROM application WHERE tenant_id = ? AND environment = 'live' AND created_at >= ?`;
const storage = `SELECT coalesce(sum(size_bytes), 0)::bigint FROM document WHERE tenant_id = ? AND environment = 'live' AND status <> 'erased'`;

export interface Standing {
  /** Null: there is no quota, and nothing was counted. */
  readonly quota: number | null;
  readonly used: number;
}

const countApplications = statement<{ tenantId: string; since: Date }, { used: number }>('usage.applications', (knex, p) =>
  knex.raw(`SELECT (${applications}) AS used`, [p.tenantId as never, p.since as never]));

const sumStorage = statement<{ tenantId: string }, { used: number }>('usage.storage', (knex, p) => knex.raw(`SELECT (${storage}) AS used`, [p.tenantId as never]));

const applicationStanding = statement<{ tenantId: string; since: Date }, Standing>('quota.applications', (knex, p) => knex.raw(`
  SELECT (quotas->>'applicationsPerMonth')::bigint AS quota,
    CASE WHEN quotas->>'applicationsPerMonth' IS NULL THEN 0 ELSE (${applications}) END AS used
  FROM tenant WHERE id = ?`, [p.tenantId as never, p.since as never, p.tenantId as never]));

const storageStanding = statement<{ tenantId: string }, Standing>('quota.storage', (knex, p) => knex.raw(`
  SELECT (quotas->>'storageGb')::bigint * 1073741824 AS quota,
    CASE WHEN quotas->>'storageGb' IS NULL THEN 0 ELSE (${storage}) END AS used
  FROM tenant WHERE id = ?`, [p.tenantId as never, p.tenantId as never]));

const lock = statement<{ tenantId: string; quota: string }>('quota.lock', (knex, p) =>
  knex.raw(`SELECT pg_advisory_xact_lock(hashtextextended(?::text || ' ' || ?::text, 0))`, [p.quota as never, p.tenantId as never]));

export async function countLiveApplications(tx: Transaction, tenantId: string, since: Date): Promise<number> {
  return (await tx.run(countApplications, { tenantId, since }))[0]?.used ?? 0;
}

export async function sumLiveStorage(tx: Transaction, tenantId: string): Promise<number> {
  return (await tx.run(sumStorage, { tenantId }))[0]?.used ?? 0;
}

export async function readApplicationStanding(tx: Transaction, tenantId: string, since: Date): Promise<Standing> {
  return (await tx.run(applicationStanding, { tenantId, since }))[0] as Standing;
}

export async function readStorageStanding(tx: Transaction, tenantId: string): Promise<Standing> {
  return (await tx.run(storageStanding, { tenantId }))[0] as Standing;
}

/** Until the end of the transaction whoever else wants the rest of this quota waits. */
export function lockQuota(tx: Transaction, tenantId: string, quota: string): void {
  void tx.run(lock, { tenantId, quota });
}
