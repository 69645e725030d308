/**
 * Table `demo`, which keeps the credentials of the demo sealed. Used by seed.ts and first-run.ts; server/start.ts
 * registers the table. It has at most one row.
 */
import { seal, unseal } from '../base/seal.ts';
import type { Secrets } from '../base/secrets.ts';
import {
  boolean,
  bytes,
  type Database,
  sql,
  statement,
  table,
  type Transaction,
  withinTenant,
} from '../database/index.ts';
import { invitation, tenant } from '../identity/tables.ts';
import type { KnownDemo } from './credentials.ts';

/** Table with at most one row, because its key allows only the value true. */
const demo = table(
  'demo',
  {
    one: boolean().defaulted(),
    sealed: bytes().changes('each start of the demo renews the links'),
  },
  {
    owner: 'platform',
    insertedBy: 'platform',
  },
);

const find = statement<Record<never, never>, { sealed: Buffer }>(
  'demo.find',
  () => sql`SELECT ${demo.select('sealed')} FROM demo`,
);

const save = statement<{ sealed: Buffer }>(
  'demo.save',
  (p) => sql`
  ${demo.insert({ sealed: p.sealed })} ON CONFLICT (one) DO UPDATE SET ${demo.assignExcluded('sealed')}`,
);

const findTenant = statement<{ id: string }, { id: string }>(
  'demo.tenant',
  (p) => sql`SELECT id FROM tenant WHERE ${tenant.equal({ id: p.id })}`,
);

const findAcceptance = statement<{ tenantId: string; id: string }, { accepted: boolean }>(
  'demo.invitation',
  (p) => sql`
  SELECT accepted_at IS NOT NULL AS accepted FROM invitation
    WHERE ${invitation.equal({ tenantId: p.tenantId, id: p.id })}`,
);

/** Returns whether the database still has the tenant that a credentials file names. */
export async function tenantExists(database: Database, id: string): Promise<boolean> {
  return (await database.platform({ tenantId: null, readOnly: true }, (tx) => tx.run(findTenant, { id }))).length > 0;
}

export async function isInvitationAccepted(tx: Transaction, tenantId: string, id: string): Promise<boolean> {
  return (await withinTenant(tx, tenantId).run(findAcceptance, { tenantId, id }))[0]?.accepted === true;
}

/** Reads the credentials that this or another process of the same database stored when it created the demo. */
export async function readDemoRow(database: Database, secrets: Secrets): Promise<KnownDemo | null> {
  const [row] = await database.platform({ tenantId: null, readOnly: true }, (tx) => tx.run(find, {}));
  return row === undefined ? null : (JSON.parse(unseal(keyOf(secrets), 'demo', row.sealed).toString()) as KnownDemo);
}

export async function writeDemoRow(database: Database, secrets: Secrets, known: KnownDemo): Promise<void> {
  await database.platform({ tenantId: null }, (tx) =>
    tx.run(save, { sealed: seal(keyOf(secrets), 'demo', JSON.stringify(known)) }),
  );
}

function keyOf(secrets: Secrets): Buffer {
  return secrets.deriveKey('demo-credentials');
}
