import type { Secrets } from '../base/secrets.ts';
import { type Database, knex, statement } from '../database/index.ts';
import { seal, unseal } from '../identity/totp.ts';
import type { KnownDemo } from './credentials.ts';

const find = statement<Record<never, never>, { sealed: Buffer }>('demo.find', () => knex('demo').select('sealed'));

const save = statement<{ sealed: Buffer }>('demo.save', (p) => knex('demo').insert({ sealed: p.sealed }).onConflict('one').merge(['sealed']));

/** What another process of this database has made, or this one before. */
export async function readStoredDemo(database: Database, secrets: Secrets): Promise<KnownDemo | null> {
  const [row] = await database.platform({ tenantId: null, readOnly: true }, (tx) => tx.run(find, {}));
  return row === undefined ? null : JSON.parse(unseal(keyOf(secrets), 'demo', row.sealed).toString()) as KnownDemo;
}

export async function storeDemo(database: Database, secrets: Secrets, demo: KnownDemo): Promise<void> {
  await database.platform({ tenantId: null }, (tx) => tx.run(save, { sealed: seal(keyOf(secrets), 'demo', Buffer.from(JSON.stringify(demo))) }));
}

function keyOf(secrets: Secrets): Buffer {
  return secrets.deriveKey('demo-credentials');
}
