/**
 * Contents of the database before and after a request. Used by tests that nothing was written. Columns that change by
 * themselves are left out.
 */
import type { TestDatabase } from './postgres.ts';

/** Logs of attempts and of callers, which a refused request may write. */
const TRACES = ['audit_event', 'audit_head', 'login_throttle'];

/** Returns the tables of the service with their columns. */
export async function tablesOf({ sql }: TestDatabase): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const rows = await sql<{ name: string; columns: string[] }>(`
    SELECT c.relname AS name, array_agg(a.attname::text) AS columns FROM pg_class c
      JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0
    WHERE c.relkind = 'r' AND c.relnamespace = 'public'::regnamespace AND c.relname NOT LIKE 'knex%' GROUP BY 1
      ORDER BY 1`);
  return new Map(rows.map(({ name, columns }) => [name, new Set(columns)]));
}

/**
 * Returns every row of every table that `where` selects, as text; a table without the columns that `where` needs is
 * skipped.
 */
export async function rowsWhere(
  database: TestDatabase,
  where: (columns: ReadonlySet<string>) => string | null,
): Promise<Record<string, readonly string[]>> {
  const dump: Record<string, readonly string[]> = {};
  for (const [table, columns] of await tablesOf(database)) {
    const condition = where(columns);
    if (condition === null) continue;
    const rows = await database.sql<{ row: string }>(
      `SELECT to_jsonb(t)::text AS row FROM ${table} t WHERE ${condition} ORDER BY 1`,
    );
    dump[table] = rows.map(({ row }) => row);
  }
  return dump;
}

/** Tables of counters and logs that change beside the requests. */
const BESIDE = [...TRACES, 'api_key_usage', 'api_key_site', 'job_success'];

/** Prepared statement for each database, because planning a query over so many tables takes longer than counting. */
const counting = new WeakMap<TestDatabase, Promise<string>>();

async function countStatement(database: TestDatabase): Promise<string> {
  const tables = [...(await tablesOf(database)).keys()].filter((table) => !BESIDE.includes(table));
  return tables.map((table) => `SELECT '${table}' AS name, count(*) AS count FROM ${table}`).join(' UNION ALL ');
}

/** Returns how many rows each table has, except the logs: equal before and after a request that wrote nothing. */
export async function rowCounts(database: TestDatabase): Promise<Record<string, number>> {
  const statement = counting.get(database) ?? countStatement(database);
  counting.set(database, statement);
  const rows = await database.sql<{ name: string; count: number }>(await statement, [], 'row counts');
  return Object.fromEntries(rows.map(({ name, count }) => [name, Number(count)]));
}

/** Columns that change by themselves or beside a request: times of last use, and counters of failures. */
const VOLATILE = ['last_used_at', 'last_used_ip', 'last_seen_at', 'step_up_at', 'last_step'];

/** Prepared statement for each database and extent, because planning a query over so many tables is what takes time. */
const digests = new WeakMap<TestDatabase, Map<boolean, Promise<string>>>();

async function digestStatement(database: TestDatabase, ofTenant: boolean): Promise<string> {
  const tables = [...(await tablesOf(database))].filter(
    ([table, columns]) => !BESIDE.includes(table) && (!ofTenant || columns.has('tenant_id')),
  );
  return tables
    .map(
      ([table, columns]) => `
    SELECT '${table}' AS name, count(*) || ' rows ' || coalesce(sum(hashtextextended(
      ROW(${[...columns].filter((column) => !VOLATILE.includes(column)).join(', ')})::text, 0)), 0) AS digest
    FROM ${table} t WHERE ${ofTenant ? 'tenant_id = $1::uuid' : '$1::uuid IS NULL'}`,
    )
    .join(' UNION ALL ');
}

/**
 * Returns a digest of each table, limited to columns that a request changes on purpose and, if given, to one tenant:
 * equal before and after a request that changed nothing.
 */
export async function everything(database: TestDatabase, tenantId?: string): Promise<Readonly<Record<string, string>>> {
  const ofTenant = tenantId !== undefined;
  const known = digests.get(database) ?? new Map<boolean, Promise<string>>();
  digests.set(database, known);
  const statement = known.get(ofTenant) ?? digestStatement(database, ofTenant);
  known.set(ofTenant, statement);
  const rows = await database.sql<{ name: string; digest: string }>(
    await statement,
    [tenantId ?? null],
    `everything${ofTenant ? ' of a tenant' : ''}`,
  );
  return Object.fromEntries(rows.map(({ name, digest }) => [name, digest]));
}
