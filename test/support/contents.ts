import type { TestDatabase } from './postgres.ts';

/** Logs of what was tried and of who came by, which a refused request may write. */
const TRACES = ['audit_event', 'audit_head', 'login_throttle'];

/** The tables of the service with their columns. */
export async function tablesOf({ sql }: TestDatabase): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const rows = await sql<{ name: string; columns: string[] }>(`
    SELECT c.relname AS name, array_agg(a.attname::text) AS columns FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0
    WHERE c.relkind = 'r' AND c.relnamespace = 'public'::regnamespace AND c.relname NOT LIKE 'knex%' GROUP BY 1 ORDER BY 1`);
  return new Map(rows.map(({ name, columns }) => [name, new Set(columns)]));
}

/** Every row of every table that `where` selects, as text; a table without the columns that `where` asks for has none. */
export async function rowsWhere(database: TestDatabase, where: (columns: ReadonlySet<string>) => string | null): Promise<Record<string, readonly string[]>> {
  const dump: Record<string, readonly string[]> = {};
  for (const [table, columns] of await tablesOf(database)) {
    const condition = where(columns);
    if (condition === null) continue;
    const rows = await database.sql<{ row: string }>(`SELECT to_jsonb(t)::text AS row FROM ${table} t WHERE ${condition} ORDER BY 1`);
    dump[table] = rows.map(({ row }) => row);
  }
  return dump;
}

/** What is counted and written down beside the requests. */
const BESIDE = [...TRACES, 'api_key_usage', 'api_key_site', 'job_success'];

/** How many rows each table has, traces apart: equal before and after a request that wrote nothing. */
export async function rowCounts(database: TestDatabase): Promise<Record<string, number>> {
  const tables = [...(await tablesOf(database)).keys()].filter((table) => !BESIDE.includes(table));
  const counts = tables.map((table) => `SELECT '${table}' AS name, count(*) AS count FROM ${table}`).join(' UNION ALL ');
  const rows = await database.sql<{ name: string; count: number }>(counts);
  return Object.fromEntries(rows.map(({ name, count }) => [name, Number(count)]));
}

/** What changes by itself or beside a request: when something was used last, and counters of failures. */
const VOLATILE = ['last_used_at', 'last_used_ip', 'last_seen_at', 'step_up_at', 'last_step'];

/** Everything that a request can change on purpose, or what of it is one tenant's: equal before and after one that changed nothing. */
export async function everything(database: TestDatabase, tenantId?: string): Promise<Record<string, readonly string[]>> {
  const dump: Record<string, readonly string[]> = {};
  for (const [table, columns] of await tablesOf(database)) {
    if (BESIDE.includes(table) || (tenantId !== undefined && !columns.has('tenant_id'))) continue;
    const condition = tenantId === undefined ? '$2::uuid IS NULL' : 'tenant_id = $2::uuid';
    const rows = await database.sql<{ row: string }>(`SELECT (to_jsonb(t) - $1::text[])::text AS row FROM ${table} t WHERE ${condition} ORDER BY 1`, [VOLATILE, tenantId ?? null]);
    dump[table] = rows.map(({ row }) => row);
  }
  return dump;
}
