import '../start.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../test/support/postgres.ts';
import { statements } from './statement.ts';
import { tables } from './table.ts';

// Whatever the service runs is loaded with it: all of its statements and tables are defined then.

let test: TestDatabase;
beforeAll(async () => {
  test = await createTestDatabase();
});
afterAll(() => test.close());

it('prepares every statement of the service: no table, column or type in it is misspelt', async () => {
  expect(statements.size).toBeGreaterThan(200);
  const refused: string[] = [];
  for (const [name, text] of statements) {
    await test.sql(`PREPARE checked AS ${text}; DEALLOCATE checked`).catch((error: Error) => refused.push(`${name}: ${error.message}`));
  }
  expect(refused).toEqual([]);
});

describe.each(tables.map((table) => [table.name, table] as const))('the definition of %s', (name, table) => {
  it('says of its columns what the catalogue says', async () => {
    const rows = await test.sql<{ column: string; type: string; isNullable: boolean; hasDefault: boolean }>(`
      SELECT attname AS column, format_type(atttypid, atttypmod) AS type, NOT attnotnull AS "isNullable", atthasdef AS "hasDefault"
      FROM pg_attribute WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped`, [name]);
    const members = Object.entries(table.columns);
    const expected = rows.filter(({ column }) => members.some(([member]) => table.nameOf(member) === column));
    expect(members.map(([member, { type, isNullable }]) => ({ column: table.nameOf(member), type, isNullable })).sort(byColumn))
      .toEqual(expected.map(({ column, type, isNullable }) => ({ column, type, isNullable })).sort(byColumn));
    const unfilled = rows.filter(({ isNullable, hasDefault }) => !isNullable && !hasDefault).map(({ column }) => column);
    expect(members.filter(([, { flags }]) => flags.has('defaulted')).map(([member]) => table.nameOf(member)).filter((column) => unfilled.includes(column))).toEqual([]);
  });
});

const byColumn = (one: { column: string }, other: { column: string }): number => (one.column < other.column ? -1 : 1);
