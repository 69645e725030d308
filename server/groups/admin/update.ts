import type { components } from '../../contract/generated/types.ts';
import { quotasOf, type Quotas, type Transaction } from '../../database/index.ts';
import { assertMatch } from '../../http/etag.ts';
import { Problem, type FieldError } from '../../http/problem.ts';
import { findTenant, lockTenant, updateTenant } from './store/tenants.ts';
import type { TenantRecord, Usage } from './tenant.ts';
import { usageOf } from './usage.ts';

interface Request {
  readonly tenantId: string;
  readonly ifMatch: string | undefined;
  readonly patch: components['schemas']['TenantUpdate'];
  readonly now: Date;
}

export interface Updated {
  readonly before: TenantRecord;
  readonly after: TenantRecord;
  readonly usage: Usage;
}

const GIB = 1024 ** 3;

/** RFC 7396 on the terms of a tenant. What exists stays, whatever the quotas become. */
export async function patchTenant(tx: Transaction, { tenantId, ifMatch, patch, now }: Request): Promise<Updated> {
  const before = await lockTenant(tx, tenantId);
  if (before === null) throw new Problem('not_found');
  assertMatch(ifMatch, before.version);
  const usage = await usageOf(tx, tenantId, now);
  const quotas = { ...before.quotas, ...patch.quotas };
  if (patch.force !== true) assertAboveUsage(before.quotas, quotas, usage);
  const terms = { name: patch.name ?? before.name, plan: patch.plan ?? before.plan, quotas };
  if (terms.name === before.name && terms.plan === before.plan && sameQuotas(before.quotas, quotas)) return { before, after: before, usage };
  await updateTenant(tx, tenantId, terms, now);
  return { before, after: await findTenant(tx, tenantId) as TenantRecord, usage };
}

export function sameQuotas(some: Partial<Quotas>, others: Partial<Quotas>): boolean {
  const [a, b] = [quotasOf(some), quotasOf(others)];
  return Object.keys(a).every((name) => a[name as keyof Quotas] === b[name as keyof Quotas]);
}

/** Only of the quotas that change: one that is already exceeded must not stand in the way of another. */
function assertAboveUsage(before: Partial<Quotas>, after: Partial<Quotas>, usage: Usage): void {
  const inUse: Partial<Quotas> = {
    users: usage.users, applicationsPerMonth: usage.applicationsThisMonth, storageGb: usage.storageBytes / GIB, apiKeys: usage.apiKeys,
  };
  const errors: FieldError[] = Object.entries(inUse).flatMap(([name, used]) => {
    const quota = after[name as keyof Quotas];
    return quota === undefined || quota === before[name as keyof Quotas] || quota >= used ? []
      : [{ pointer: `/quotas/${name}`, code: 'below_usage', message: 'is less than what is in use' }];
  });
  if (errors.length > 0) throw new Problem('quota_below_usage', { errors });
}
