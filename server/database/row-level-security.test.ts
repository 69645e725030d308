/** Tests that row-level security separates tenants without any predicate in a statement. */
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../test/support/postgres.ts';
import { addApplication } from '../../test/support/rows.ts';
import { uuidv7 } from '../base/uuid.ts';
import { ForeignKeyViolation, knex } from './index.ts';

let test: TestDatabase;
let ours: string;
let theirs: string;
let theirApplication: string;

beforeAll(async () => {
  test = await createTestDatabase({ poolSize: 1 });
  ours = await test.tenant('Ours');
  theirs = await test.tenant('Theirs');
  await addApplication(test.database, ours);
  theirApplication = await addApplication(test.database, theirs);
});
afterAll(() => test.close());

async function asApp<T>(work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client(test.app);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

const tenantsSeen = 'SELECT DISTINCT tenant_id FROM application';
const setTenant = `SELECT set_config('app.tenant_id', $1, true)`;

describe('row-level security alone', () => {
  it('shows nothing while no tenant is set', async () => {
    expect((await asApp((client) => client.query(tenantsSeen))).rows).toEqual([]);
  });

  it('shows nothing when the tenant is the empty string', async () => {
    const rows = await asApp(async (client) => {
      await client.query(`SET app.tenant_id = ''`);
      return (await client.query(tenantsSeen)).rows;
    });
    expect(rows).toEqual([]);
  });

  it('shows only the tenant that is set, without any predicate', async () => {
    const rows = await asApp(async (client) => {
      await client.query('BEGIN');
      await client.query(setTenant, [ours]);
      return (await client.query(tenantsSeen)).rows;
    });
    expect(rows).toEqual([{ tenant_id: ours }]);
  });

  it('shows nothing again after the transaction has ended', async () => {
    const rows = await asApp(async (client) => {
      await client.query('BEGIN');
      await client.query(setTenant, [ours]);
      await client.query('COMMIT');
      return (await client.query(tenantsSeen)).rows;
    });
    expect(rows).toEqual([]);
  });

  it('separates tenants that use one connection alternately', async () => {
    const turns = [ours, theirs, ours, theirs, theirs, ours];
    const seen = await Promise.all(
      turns.map((tenantId) =>
        test.database.transaction({ tenantId }, (tx) =>
          tx.query<{ tenant_id: string }>(knex('application').distinct('tenant_id')),
        ),
      ),
    );
    expect(seen.map((rows) => rows.map((row) => row.tenant_id))).toEqual(turns.map((tenantId) => [tenantId]));
    expect(test.database.connections().total).toBe(1);
  });

  it('does not update or delete rows of another tenant', async () => {
    const touched = await asApp(async (client) => {
      await client.query('BEGIN');
      await client.query(setTenant, [ours]);
      const update = await client.query('UPDATE application SET full_name = $1 WHERE id = $2', ['x', theirApplication]);
      const deletion = await client.query('DELETE FROM application WHERE id = $1', [theirApplication]);
      await client.query('COMMIT');
      return [update.rowCount, deletion.rowCount];
    });
    expect(touched).toEqual([0, 0]);
  });

  it('refuses a row for another tenant with 42501', async () => {
    await expect(addApplication(test.database, ours, { tenant_id: theirs })).rejects.toMatchObject({ code: '42501' });
  });

  it('refuses to move a row to another tenant with 42501', async () => {
    const moving = test.database.transaction({ tenantId: ours }, (tx) =>
      tx.query(knex('application').update({ tenant_id: theirs })),
    );
    await expect(moving).rejects.toMatchObject({ code: '42501' });
  });

  it('lets a tenant see and switch itself only', async () => {
    const { names, changed } = await test.database.transaction({ tenantId: ours }, async (tx) => ({
      names: (await tx.query<{ name: string }>(knex('tenant').select('name'))).map((row) => row.name),
      changed: await tx.query(knex('tenant').update({ sandbox_enabled: true }).where({ id: theirs }).returning('id')),
    }));
    expect(names).toEqual(['Ours']);
    expect(changed).toEqual([]);
  });

  it('shows the app role the people of its tenant and never a password hash', async () => {
    const reading = asApp((client) => client.query('SELECT password_hash FROM user_account'));
    await expect(reading).rejects.toMatchObject({ code: '42501' });
  });
});

describe('composite foreign keys', () => {
  it('refuse a document of another tenant’s application', async () => {
    const adding = test.database.transaction({ tenantId: ours }, (tx) =>
      tx.query(
        knex('document').insert({
          tenant_id: ours,
          id: uuidv7(),
          application_id: theirApplication,
          environment: 'sandbox',
          type: 'passport',
          side: 'single',
          file_name: 'a.pdf',
          mime_type: 'application/pdf',
          size_bytes: 1,
          sha256: '0'.repeat(64),
          storage_key: 'k',
          created_by: {},
        }),
      ),
    );
    await expect(adding).rejects.toBeInstanceOf(ForeignKeyViolation);
  });
});

describe('live rows', () => {
  it('cannot be deleted by the code path that empties the sandbox', async () => {
    await addApplication(test.database, ours, { environment: 'live' });
    const deleting = test.database.transaction({ tenantId: ours }, (tx) => tx.query(knex('application').delete()));
    await expect(deleting).rejects.toMatchObject({ code: '42501', message: expect.stringContaining('live rows') });
  });
});
