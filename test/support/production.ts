/**
 * Digests of everything that is not a sandbox record of a tenant. Used by tests that a reset of the sandbox leaves the
 * rest alone.
 */
import { createHash } from 'node:crypto';
import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { tablesOf } from './contents.ts';
import type { TestDatabase } from './postgres.ts';

/**
 * Tables that have an environment but no records of one: it says which environment a key calls, and where an event
 * happened.
 */
const NOT_RECORDS = ['api_key', 'audit_event'];
/** Tables that every request changes: its event, and the use of its credential. */
const TRACES = ['audit_event', 'audit_head', 'api_key_usage', 'api_key_site'];
const VOLATILE = ['last_used_at', 'last_used_ip'];

/**
 * Returns the tables whose records belong to an environment, found in the catalogue, each with the column of the
 * environment.
 */
async function environmentTables(database: TestDatabase): Promise<ReadonlyMap<string, string>> {
  const found = [...(await tablesOf(database))]
    .filter(([, columns]) => columns.has('tenant_id'))
    .map(([table, columns]) => [table, ['environment', 'env'].find((name) => columns.has(name))] as const);
  return new Map(
    found.filter(
      (entry): entry is readonly [string, string] => entry[1] !== undefined && !NOT_RECORDS.includes(entry[0]),
    ),
  );
}

/** Returns how many sandbox records of the tenant each of these tables holds. */
export async function sandboxRecords(database: TestDatabase, tenantId: string): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const [table, column] of await environmentTables(database)) {
    const [row] = await database.sql<{ n: number }>(
      `SELECT count(*)::integer AS n FROM ${table} WHERE tenant_id = $1 AND ${column} = 'sandbox'`,
      [tenantId],
    );
    counts[table] = row?.n ?? 0;
  }
  return counts;
}

/** Returns a digest, for each table of the catalogue, of every row that is not a sandbox record of the tenant. */
export async function productionDigests(database: TestDatabase, tenantId: string): Promise<Record<string, string>> {
  const tables = await environmentTables(database);
  const digests: Record<string, string> = {};
  for (const table of (await tablesOf(database)).keys()) {
    if (TRACES.includes(table)) continue;
    const column = tables.get(table);
    const condition = column === undefined ? 'true' : `NOT (tenant_id = '${tenantId}' AND ${column} = 'sandbox')`;
    const rows = await database.sql<{ row: string }>(
      `SELECT (to_jsonb(t) - $1::text[])::text AS row FROM ${table} t WHERE ${condition} ORDER BY 1`,
      [VOLATILE],
    );
    digests[table] = `${rows.length} rows ${createHash('sha256')
      .update(rows.map(({ row }) => row).join('\n'))
      .digest('hex')}`;
  }
  return digests;
}

/** Returns every stored file with a digest of its bytes. */
export async function fileDigests(dataDir: string): Promise<Record<string, string>> {
  const entries = await readdir(join(dataDir, 'files'), { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
  return Object.fromEntries(
    await Promise.all(
      files.map(
        async (path) =>
          [
            path,
            createHash('sha256')
              .update(await readFile(path))
              .digest('hex'),
          ] as const,
      ),
    ),
  );
}
