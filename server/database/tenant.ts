import { genesisHash } from './audit-chain.ts';
import { statement } from './statement.ts';
import type { Transaction } from './transaction.ts';

const insertTenant = statement<{ id: string; slug: string; name: string }>('tenant.insert', (knex, p) =>
  knex('tenant').insert({ id: p.id, slug: p.slug, name: p.name }));

const insertHead = statement<{ id: string; genesis: Buffer }>('tenant.insertAuditHead', (knex, p) =>
  knex('audit_head').insert({ tenant_id: p.id, sequence: 0, prev_hash: p.genesis, hash: p.genesis }));

const insertFeeds = statement<{ id: string }>('tenant.insertFeeds', (knex, p) =>
  knex('fr_feed').insert([{ tenant_id: p.id, env: 'live' }, { tenant_id: p.id, env: 'sandbox' }]));

/** A tenant with what each tenant needs from the start: its audit chain and its feeds. Platform work. */
export async function createTenant(tx: Transaction, tenant: { id: string; slug: string; name: string }): Promise<void> {
  if (tx.tenantId !== tenant.id) throw new TypeError('the transaction must be set to the new tenant');
  await Promise.all([
    tx.run(insertTenant, tenant),
    tx.run(insertHead, { id: tenant.id, genesis: genesisHash(tenant.id) }),
    tx.run(insertFeeds, { id: tenant.id }),
  ]);
}
