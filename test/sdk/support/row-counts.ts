/** Counts the rows of a tenant in each table. Used by exactly-once.test.ts: an effect leaves rows. */
import type { TestDatabase } from '../../support/postgres.ts';

/**
 * Tables that are no effect: statistics, which count repeated requests too, and what the service reads from the
 * directory in its own time.
 */
const NO_EFFECT = /^(api_key_site|api_key_usage|fr_\w+|dict_(stream|inbox))$/;

export type Counts = ReadonlyMap<string, number>;

/**
 * Returns the number of rows of a tenant in each table: every effect leaves some, including in the audit log and the
 * outbox.
 */
export async function rowsOf(database: TestDatabase, tenantId: string): Promise<Counts> {
  const tables = await database.sql<{ name: string }>(`
    SELECT c.oid::regclass::text AS name FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
      JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE a.attname = 'tenant_id' AND c.relkind IN ('r', 'p') AND NOT c.relispartition AND n.nspname NOT LIKE 'pg\\_%'
      ORDER BY 1`);
  const counts = new Map<string, number>();
  for (const { name } of tables.filter((table) => !NO_EFFECT.test(table.name))) {
    const [row] = await database.sql<{ count: string }>(`SELECT count(*) FROM ${name} WHERE tenant_id = $1`, [
      tenantId,
    ]);
    counts.set(name, Number(row!.count));
  }
  return counts;
}

export function grown(before: Counts, after: Counts): Map<string, number> {
  return new Map(
    [...after]
      .map(([name, count]) => [name, count - (before.get(name) ?? 0)])
      .filter((entry): entry is [string, number] => entry[1] !== 0),
  );
}
