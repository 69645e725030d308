/** Tests that `createSubjectTable` protects a table as the catalogue of the schema demands. */
import knexFactory, { type Knex } from 'knex';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../test/support/postgres.ts';
import { addApplication } from '../../test/support/rows.ts';
import { uuidv7 } from '../base/uuid.ts';
import { sql } from './sql.ts';
import { createSubjectTable } from './subject-table.ts';

let test: TestDatabase;
let knex: Knex;
let tenantId: string;
let applicationId: string;

const NOTE = `INSERT INTO note VALUES ($1, $2, $3, 'x', now(), '{}')`;

beforeAll(async () => {
  test = await createTestDatabase();
  knex = knexFactory({ client: 'pg', connection: { ...test.owner }, pool: { min: 0, max: 1 } });
  await createSubjectTable(knex, 'application', 'note', 'text text NOT NULL');
  tenantId = await test.tenant('Ours');
  applicationId = await addApplication(test.database, tenantId);
});
afterAll(async () => {
  await knex.destroy();
  await test.close();
});

it('refuses a row of an application that does not exist in its tenant', async () => {
  await expect(test.sql(NOTE, [tenantId, uuidv7(), uuidv7()])).rejects.toMatchObject({ code: '23503' });
  await expect(test.sql(NOTE, [await test.tenant(), uuidv7(), applicationId])).rejects.toMatchObject({ code: '23503' });
});

it('deletes the rows with their application', async () => {
  const [rule] = await test.sql<{ effect: string }>(
    `SELECT confdeltype AS effect FROM pg_constraint WHERE conrelid = 'note'::regclass AND contype = 'f'`,
  );
  expect(rule?.effect).toBe('c');
});

it('shows the rows to the service within their tenant, and hides them from other tenants', async () => {
  await test.sql(NOTE, [tenantId, uuidv7(), applicationId]);
  const seenIn = (id: string) =>
    test.database.transaction({ tenantId: id }, (tx) => tx.query<object>(sql`SELECT text FROM note`));
  expect(await seenIn(tenantId)).toEqual([{ text: 'x' }]);
  expect(await seenIn(await test.tenant())).toEqual([]);
  const [table] = await test.sql<{ forced: boolean }>(
    `SELECT relforcerowsecurity AS forced FROM pg_class WHERE oid = 'note'::regclass`,
  );
  expect(table?.forced).toBe(true);
});

it('refuses another tenant, id, time of creation or creator of a row', async () => {
  const [trigger] = await test.sql<{ rule: string }>(
    `SELECT pg_get_triggerdef(oid) AS rule FROM pg_trigger WHERE tgrelid = 'note'::regclass AND NOT tgisinternal`,
  );
  expect(trigger?.rule).toMatch(/identity_stays BEFORE UPDATE/);
  for (const column of ['tenant_id', 'id', 'created_at', 'created_by'])
    expect(trigger?.rule).toContain(`old.${column} IS DISTINCT FROM new.${column}`);
});

it('reads a page of an application from its index', async () => {
  const [index] = await test.sql<{ columns: string }>(
    `SELECT pg_get_indexdef('note_by_application'::regclass) AS columns`,
  );
  expect(index?.columns).toMatch(/\(tenant_id, application_id, created_at, id\)$/);
});
