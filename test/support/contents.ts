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

/** One statement for each database: so many tables take longer to plan than to count. */
const counting = new WeakMap<TestDatabase, Promise<string>>();

async function countStatement(database: TestDatabase): Promise<string> {
  const tables = [...(await tablesOf(database)).keys()].filter((table) => !BESIDE.includes(table));
  return tables.map((table) => `SELECT '${table}' AS name, count(*) AS count FROM ${table}`).join(' UNION ALL ');
}

/** How many rows each table has, traces apart: equal before and after a request that wrote nothing. */
export async function rowCounts(database: TestDatabase): Promise<Record<string, number>> {
  const statement = counting.get(database) ?? countStatement(database);
  counting.set(database, statement);
  const rows = await database.sql<{ name: string; count: number }>(await statement, [], 'row counts');
  return Object.fromEntries(rows.map(({ name, count }) => [name, Number(count)]));
}

/** What changes by itself or beside a request: when something was used last, and counters of failures. */
const VOLATILE = ['last_used_at', 'last_used_ip', 'last_seen_at', 'step_up_at', 'last_step'];

/** One statement for each database and extent: what it costs is to be planned, with so many tables. */
const digests = new WeakMap<TestDatabase, Map<boolean, Promise<string>>>();

async function digestStatement(database: TestDatabase, ofTenant: boolean): Promise<string> {
  const tables = [...await tablesOf(database)].filter(([table, columns]) => !BESIDE.includes(table) && (!ofTenant || columns.has('tenant_id')));
  return tables.map(([table]) => `
    SELECT '${table}' AS name, count(*) || ' rows ' || coalesce(md5(string_agg(md5((to_jsonb(t) - $1::text[])::text), '' ORDER BY md5((to_jsonb(t) - $1::text[])::text))), '') AS digest
    FROM ${table} t WHERE ${ofTenant ? 'tenant_id = $2::uuid' : '$2::uuid IS NULL'}`).join(' UNION ALL ');
}

/** A digest of each table with all that a request can change on purpose, or what of it is one tenant's: equal before and after one that changed nothing. */
export async function everything(database: TestDatabase, tenantId?: string): Promise<Readonly<Record<string, string>>> {
  const ofTenant = tenantId !== undefined;
  const known = digests.get(database) ?? new Map<boolean, Promise<string>>();
  digests.set(database, known);
  const statement = known.get(ofTenant) ?? digestStatement(database, ofTenant);
  known.set(ofTenant, statement);
  const rows = await database.sql<{ name: string; digest: string }>(await statement, [VOLATILE, tenantId ?? null], `everything${ofTenant ? ' of a tenant' : ''}`);
  return Object.fromEntries(rows.map(({ name, digest }) => [name, digest]));
}
