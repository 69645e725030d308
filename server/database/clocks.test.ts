/** Test that stored times come from the clock of the service. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../test/support/postgres.ts';
import '../start.ts';
import { tables } from './table.ts';

let test: TestDatabase;
beforeAll(async () => {
  test = await createTestDatabase();
});
afterAll(() => test.close());

/** Times that are compared only with the database's own clock, and one that is replaced in the same transaction. */
const OF_THE_DATABASE = ['fr_event.received_at', 'login_throttle.window_start', 'tenant_settings.updated_at'];

it('takes the times of every record from the clock of the service, never from a default of the database', async () => {
  const columns = await test.sql<{ table: string; column: string }>(`
    SELECT table_name AS table, column_name AS column FROM information_schema.columns
    WHERE table_schema = 'public' AND column_default ~* 'now\\(\\)|current_timestamp' ORDER BY 1, 2`);
  expect(columns.length).toBeGreaterThan(10);
  const isWritten = ({ table, column }: { table: string; column: string }): boolean =>
    tables
      .filter(({ name }) => name === table)
      .every((one) =>
        (['app', 'platform'] as const).every((role) => {
          const { insert } = one.writable(role);
          return insert.length === 0 || insert.includes(column);
        }),
      );
  expect(
    columns
      .filter((one) => !isWritten(one))
      .map(({ table, column }) => `${table}.${column}`)
      .filter((name) => !OF_THE_DATABASE.includes(name)),
  ).toEqual([]);
});
