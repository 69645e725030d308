import type { Secrets } from '../base/secrets.ts';
import { type Database, knex, sql, statement, type Transaction, withinTenant } from '../database/index.ts';
import { seal, unseal } from '../identity/totp.ts';
import type { KnownDemo } from './credentials.ts';

const find = statement<Record<never, never>, { sealed: Buffer }>('demo.find', () => knex('demo').select('sealed'));

const save = statement<{ sealed: Buffer }>('demo.save', (p) => knex('demo').insert({ sealed: p.sealed }).onConflict('one').merge(['sealed']));

const findTenant = statement<{ id: string }, { id: string }>('demo.tenant', (p) => knex('tenant').select('id').where({ id: p.id }));

const findAcceptance = statement<{ tenantId: string; id: string }, { accepted: boolean }>('demo.invitation', (p) =>
  knex('invitation').select(sql`(accepted_at IS NOT NULL) AS accepted`).where({ tenant_id: p.tenantId, id: p.id }));

/** Whether the database still has the tenant that a file of credentials names. */
export async function tenantExists(database: Database, id: string): Promise<boolean> {
  return (await database.platform({ tenantId: null, readOnly: true }, (tx) => tx.run(findTenant, { id }))).length > 0;
}

export async function isInvitationAccepted(tx: Transaction, tenantId: string, id: string): Promise<boolean> {
  return (await withinTenant(tx, tenantId).run(findAcceptance, { tenantId, id }))[0]?.accepted === true;
}

/** The credentials that this process, or another one of the same database, stored when it created the demo. */
export async function readDemoRow(database: Database, secrets: Secrets): Promise<KnownDemo | null> {
  const [row] = await database.platform({ tenantId: null, readOnly: true }, (tx) => tx.run(find, {}));
  return row === undefined ? null : JSON.parse(unseal(keyOf(secrets), 'demo', row.sealed).toString()) as KnownDemo;
}

export async function writeDemoRow(database: Database, secrets: Secrets, demo: KnownDemo): Promise<void> {
  await database.platform({ tenantId: null }, (tx) => tx.run(save, { sealed: seal(keyOf(secrets), 'demo', Buffer.from(JSON.stringify(demo))) }));
}

function keyOf(secrets: Secrets): Buffer {
  return secrets.deriveKey('demo-credentials');
}
