import { sql, statement, type Database } from '../database/index.ts';
import { recordSites } from './key-sites.ts';
import type { KeyTally } from './key-tally.ts';

/** Locks the keys in one order first: batches of several processes wait for each other instead of deadlocking. */
const recordLastUse = statement<{ tenantId: string; prefixes: readonly string[]; times: readonly string[]; ips: readonly string[] }>('keyUse.last', (p) => sql`
  WITH used AS (SELECT * FROM unnest(${p.prefixes}::text[], ${p.times}::timestamptz[], ${p.ips}::text[]) AS u (prefix, at, ip)),
  locked AS (SELECT k.id, k.prefix FROM api_key k JOIN used USING (prefix) WHERE k.tenant_id = ${p.tenantId}::uuid ORDER BY k.id FOR NO KEY UPDATE OF k)
  UPDATE api_key k SET last_used_at = used.at, last_used_ip = used.ip
  FROM locked JOIN used USING (prefix)
  WHERE k.tenant_id = ${p.tenantId}::uuid AND k.id = locked.id AND (k.last_used_at IS NULL OR k.last_used_at <= used.at)`);

const addCounts = statement<{
  tenantId: string; prefixes: readonly string[]; hours: readonly string[]; requests: readonly string[]; errors: readonly string[];
}>('keyUse.count', (p) => sql`
  INSERT INTO api_key_usage AS u (tenant_id, key_id, hour, requests, errors)
  SELECT k.tenant_id, k.id, c.hour, c.requests, c.errors
  FROM unnest(${p.prefixes}::text[], ${p.hours}::timestamptz[], ${p.requests}::bigint[], ${p.errors}::bigint[]) AS c (prefix, hour, requests, errors)
  JOIN api_key k ON k.tenant_id = ${p.tenantId}::uuid AND k.prefix = c.prefix
  ON CONFLICT (tenant_id, key_id, hour) DO UPDATE SET requests = u.requests + excluded.requests, errors = u.errors + excluded.errors`);

/** Writes down what keys did, within the tenant that they belong to. */
export class KeyUseStore {
  readonly #database: Pick<Database, 'transaction'>;

  constructor(database: Pick<Database, 'transaction'>) {
    this.#database = database;
  }

  async write(tenantId: string, tallies: readonly KeyTally[]): Promise<void> {
    await this.#database.transaction({ tenantId }, async (tx) => {
      const used = tallies.flatMap(({ prefix, lastUsed }) => (lastUsed === null ? [] : [{ prefix, ...lastUsed }]));
      void tx.run(recordLastUse, { tenantId, prefixes: used.map(({ prefix }) => prefix), times: used.map(instant), ips: used.map(({ ip }) => ip) });
      const counts = tallies.flatMap(({ prefix, hours }) => [...hours].map(([at, counted]) => ({ prefix, at, ...counted })));
      void tx.run(addCounts, {
        tenantId, prefixes: counts.map(({ prefix }) => prefix), hours: counts.map(instant),
        requests: counts.map(({ requests }) => String(requests)), errors: counts.map(({ errors }) => String(errors)),
      });
      await recordSites(tx, tenantId, tallies.filter(({ sites }) => sites.size > 0));
    });
  }
}

function instant({ at }: { readonly at: number }): string {
  return new Date(at).toISOString();
}
