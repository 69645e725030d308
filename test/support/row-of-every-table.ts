/** Writes a row into every table, for tests of rules that hold for all tables. */
import '../../server/start.ts';
import { withClient } from '../../server/database/pool.ts';
import type { Columns } from '../../server/database/duties.ts';
import { type Table, tables } from '../../server/database/table.ts';
import type { TestDatabase } from './postgres.ts';

const ID = '00000000-0000-4000-8000-00000000000c';

/** Value of a column by its type, as text, unless the table has an example. */
const BY_TYPE: Readonly<Record<string, unknown>> = {
  uuid: ID,
  text: 'x',
  'text[]': [],
  smallint: 1,
  integer: 1,
  bigint: 1,
  'double precision': 1,
  boolean: false,
  bytea: Buffer.alloc(32),
  jsonb: '{}',
  date: '2026-01-01',
  'timestamp(3) with time zone': new Date(),
};

/** Tables that already have a row of each new tenant, written by a trigger or by the creation of the tenant. */
const MADE_WITH_TENANT = ['tenant', 'audit_head', 'fr_feed'];

/** Returns the required columns of a row of the table with their values; `live` if there are two environments. */
function rowOf(
  table: Table<Columns>,
  tenantId: string,
  filledIn: ReadonlySet<string>,
): [member: string, value: unknown][] {
  const {
    name,
    columns,
    duties: { owner, example = {} },
  } = table;
  return Object.entries(columns).flatMap(
    ([
      member,
      {
        type,
        traits: { isNullable, encode },
      },
    ]): [string, unknown][] => {
      if (member === 'tenantId') return [[member, tenantId]];
      if (member in example) return [[member, encode === null ? example[member] : encode(example[member])]];
      if (owner === 'applicationOrBusiness' && member === 'applicationId') return [[member, ID]];
      if (isNullable || filledIn.has(`${name}.${table.nameOf(member)}`)) return [];
      if (member === 'environment') return [[member, 'live']];
      if (!(type in BY_TYPE))
        throw new Error(`say what stands in a column of the type ${type}, as ${name}.${member} is`);
      return [[member, BY_TYPE[type]]];
    },
  );
}

/** Writes a row of a new tenant into every table; foreign keys are not enforced. */
export async function rowOfEveryTable(test: TestDatabase): Promise<string> {
  const tenantId = await test.tenant();
  const filledIn = new Set(
    (
      await test.sql<{ column: string }>(`
    SELECT attrelid::regclass || '.' || attname AS column FROM pg_attribute
      WHERE attnum > 0 AND (atthasdef OR attidentity <> '')`)
    ).map(({ column }) => column),
  );
  await withClient(test.superuser, async (client) => {
    await client.query('SET session_replication_role = replica');
    for (const table of tables.filter(({ name }) => !MADE_WITH_TENANT.includes(name))) {
      const row = rowOf(table, tenantId, filledIn);
      const names = row.map(([member]) => table.nameOf(member));
      await client.query(
        `INSERT INTO ${table.name} (${names.join(', ')}) VALUES (${names.map((_, at) => `$${at + 1}`).join(', ')})`,
        row.map(([, value]) => value),
      );
    }
  });
  return tenantId;
}
