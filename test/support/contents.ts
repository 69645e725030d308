import type { TestDatabase } from './postgres.ts';

/** Logs of what was tried and of who came by, which a refused request may write. */
const TRACES = ['audit_event', 'audit_head', 'login_throttle'];

/** Names of all tables of the service. */
export async function tablesOf({ sql }: TestDatabase): Promise<readonly string[]> {
  const rows = await sql<{ name: string }>(`
    SELECT relname AS name FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace AND relname NOT LIKE 'knex%' ORDER BY 1`);
  return rows.map(({ name }) => name);
}

/** Every row of every table that `where` selects, as text; a table without the columns that `where` names has none. */
export async function rowsWhere(database: TestDatabase, where: (columns: ReadonlySet<string>) => string | null): Promise<Record<string, readonly string[]>> {
  const dump: Record<string, readonly string[]> = {};
  for (const table of await tablesOf(database)) {
    const columns = await database.sql<{ name: string }>('SELECT column_name AS name FROM information_schema.columns WHERE table_name = $1', [table]);
    const condition = where(new Set(columns.map(({ name }) => name)));
    if (condition === null) continue;
    const rows = await database.sql<{ row: string }>(`SELECT to_jsonb(t)::text AS row FROM ${table} t WHERE ${condition} ORDER BY 1`);
    dump[table] = rows.map(({ row }) => row);
  }
  return dump;
}

/** How many rows each table has, traces apart: equal before and after a request that wrote nothing. */
export async function rowCounts(database: TestDatabase): Promise<Record<string, number>> {
  const tables = (await tablesOf(database)).filter((table) => !TRACES.includes(table));
  const counts = tables.map((table) => `SELECT '${table}' AS name, count(*) AS count FROM ${table}`).join(' UNION ALL ');
  const rows = await database.sql<{ name: string; count: number }>(counts);
  return Object.fromEntries(rows.map(({ name, count }) => [name, Number(count)]));
}
