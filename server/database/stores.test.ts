/** Tests of every statement and table definition of the service against the real database. */
import '../start.ts';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../test/support/postgres.ts';
import { statements } from './statement.ts';
import { derivedFromTables, tables } from './table.ts';

// Loading the service defines all of its tables and all statements except those that are derived from the tables.
for (const derive of derivedFromTables) derive();

let test: TestDatabase;
beforeAll(async () => {
  test = await createTestDatabase();
});
afterAll(() => test.close());

it('can prepare every statement of the service, so no table, column or type is misspelt', async () => {
  expect(statements.size).toBeGreaterThan(200);
  const refused: string[] = [];
  for (const [name, text] of statements) {
    await test
      .sql(`PREPARE checked AS ${text}; DEALLOCATE checked`)
      .catch((error: Error) => refused.push(`${name}: ${error.message}`));
  }
  expect(refused).toEqual([]);
});

it('may run every statement as a role of the service: the definitions of the tables grant the rights to all written columns', async () => {
  const refused = new Map<string, string[]>();
  for (const login of [test.app, test.platform]) {
    const client = new pg.Client(login);
    await client.connect();
    await client.query('SET plan_cache_mode = force_generic_plan');
    for (const [name, text] of statements) {
      await client.query(`PREPARE checked AS ${text}`);
      const {
        rows: [prepared],
      } = await client.query<{ count: number }>(
        `SELECT cardinality(parameter_types) AS count FROM pg_prepared_statements WHERE name = 'checked'`,
      );
      const values = Array.from({ length: prepared?.count ?? 0 }, () => 'NULL').join(', ');
      // EXPLAIN checks the rights to the columns and executes nothing.
      await client
        .query(`EXPLAIN EXECUTE checked${values === '' ? '' : `(${values})`}`)
        .catch((error: Error) => void refused.set(name, [...(refused.get(name) ?? []), error.message]));
      await client.query('DEALLOCATE checked');
    }
    await client.end();
  }
  const refusedToBoth = [...refused]
    .filter(([, messages]) => messages.length === 2)
    .map(([name, [message]]) => `${name}: ${message}; no right to ${unwritable(message, statements.get(name))}`);
  expect(refusedToBoth).toEqual([]);
});

/** Returns the columns in a refused statement that no role may insert, or none may update. */
function unwritable(message = '', text = ''): string {
  const [, name = ''] = /for table (\w+)/.exec(message) ?? [];
  const right = text.includes(`INSERT INTO ${name}`) ? 'insert' : 'update';
  const listed = tables
    .filter((table) => table.name === name)
    .flatMap((table) => (['app', 'platform'] as const).flatMap((role) => table.writable(role)[right]));
  return tables
    .filter((table) => table.name === name)
    .flatMap((table) => Object.keys(table.columns).map((member) => table.nameOf(member)))
    .filter((column) => !listed.includes(column) && new RegExp(`\\b${column}\\b`).test(text))
    .join(', ');
}

describe.each(tables.map((table) => [table.name, table] as const))('the definition of %s', (name, table) => {
  it('declares its columns as the catalogue does', async () => {
    const rows = await test.sql<{
      column: string;
      type: string;
      isNullable: boolean;
      hasDefault: boolean;
    }>(
      `
      SELECT attname AS column, format_type(atttypid, atttypmod) AS type, NOT attnotnull AS "isNullable", atthasdef
        OR attidentity <> '' AS "hasDefault"
      FROM pg_attribute WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped`,
      [name],
    );
    const members = Object.entries(table.columns);
    const expected = rows.filter(({ column }) => members.some(([member]) => table.nameOf(member) === column));
    expect(
      members
        .map(
          ([
            member,
            {
              type,
              traits: { isNullable },
            },
          ]) => ({ column: table.nameOf(member), type, isNullable }),
        )
        .sort(byColumn),
    ).toEqual(expected.map(({ column, type, isNullable }) => ({ column, type, isNullable })).sort(byColumn));
    const unfilled = rows
      .filter(({ isNullable, hasDefault }) => !isNullable && !hasDefault)
      .map(({ column }) => column);
    expect(
      members
        .filter(
          ([
            ,
            {
              traits: { flags },
            },
          ]) => flags.has('defaulted'),
        )
        .map(([member]) => table.nameOf(member))
        .filter((column) => unfilled.includes(column)),
    ).toEqual([]);
  });
});

const byColumn = (one: { column: string }, other: { column: string }): number => (one.column < other.column ? -1 : 1);
