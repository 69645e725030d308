import { genesisHash } from './audit-chain.ts';
import type { Quotas } from './quotas.ts';
import { sql } from './sql.ts';
import { knex, statement } from './statement.ts';
import type { Transaction } from './transaction.ts';

export interface NewTenant {
  readonly id: string;
  readonly slug: string;
  readonly name: string;
  /** A tenant in `onboarding` works in the sandbox until it goes live. */
  readonly status?: 'onboarding' | 'active';
  readonly plan?: string;
  readonly region?: string;
  /** What is not named is not bounded. */
  readonly quotas?: Partial<Quotas>;
}

/** A tenant whose periodic work is done. */
export interface TenantInTurn {
  readonly id: string;
  /** How far its sandbox is ahead of real time. */
  readonly sandboxAheadMilliseconds: number;
}

const insertTenant = statement<{
  id: string; slug: string; name: string; status: string; sandboxEnabled: boolean; plan: string; region: string; quotas: string;
}>('tenant.insert', (p) => knex('tenant').insert({
  id: p.id, slug: p.slug, name: p.name, status: p.status, sandbox_enabled: p.sandboxEnabled,
  sandbox_enabled_at: sql`CASE WHEN ${p.sandboxEnabled}::boolean THEN now() END`,
  plan: p.plan, region: p.region, quotas: p.quotas,
}));

const insertHead = statement<{ id: string; genesis: Buffer }>('tenant.insertAuditHead', (p) =>
  knex('audit_head').insert({ tenant_id: p.id, sequence: 0, prev_hash: p.genesis, hash: p.genesis }));

const insertFeeds = statement<{ id: string }>('tenant.insertFeeds', (p) =>
  knex('fr_feed').insert([{ tenant_id: p.id, env: 'live' }, { tenant_id: p.id, env: 'sandbox' }]));

/** A tenant with what each tenant needs from the start: its audit chain and its feeds. Platform work. */
export async function createTenant(tx: Transaction, tenant: NewTenant): Promise<void> {
  const { id, slug, name, status = 'active', plan = 'standard', region = 'default', quotas = {} } = tenant;
  if (tx.tenantId !== id) throw new TypeError('the transaction must be set to the new tenant');
  await Promise.all([
    tx.run(insertTenant, { id, slug, name, status, sandboxEnabled: status === 'onboarding', plan, region, quotas: JSON.stringify(quotas) }),
    tx.run(insertHead, { id, genesis: genesisHash(id) }),
    tx.run(insertFeeds, { id }),
  ]);
}
