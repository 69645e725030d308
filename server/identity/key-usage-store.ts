/**
 * Writes the use of keys in batches, and audits use from a new network. Used by key-usage.ts; created by
 * server/start.ts. Locks keys in the order of their ids, because processes write at the same time.
 */
import { appendAudit } from '../audit/chain.ts';
import { HOUR_MILLISECONDS } from '../base/time.ts';
import type { Environment } from '../contract/operation.ts';
import { type Database, sql, statement, type Transaction } from '../database/index.ts';
import { apiKey, apiKeySite, apiKeyUsage } from './tables.ts';

/**
 * Maximum number of new addresses of a key that one batch records; a client with a thousand addresses in five seconds
 * needs no event for each.
 */
const MAX_SITES_PER_BATCH = 20;

interface Sighting {
  /** First address that was seen. */
  readonly ip: string;
  readonly at: number;
  readonly environment: Environment;
}

/** Activity of one key since the last batch was written. */
export class KeyUsageTally {
  readonly prefix: string;
  readonly name: string;
  /** Requests and errors by hour. */
  readonly hours = new Map<number, { requests: number; errors: number }>();
  /** Sites from which the key was used, in the order of their first use. */
  readonly sites = new Map<string, Sighting>();
  lastUsed: { readonly at: number; readonly ip: string } | null = null;

  constructor(prefix: string, name: string) {
    this.prefix = prefix;
    this.name = name;
  }

  used(at: number, ip: string): void {
    this.#hourOf(at).requests++;
    this.lastUsed = { at, ip };
  }

  failed(at: number): void {
    this.#hourOf(at).errors++;
  }

  seenAt(site: string, ip: string, at: number, environment: Environment): void {
    if (!this.sites.has(site) && this.sites.size < MAX_SITES_PER_BATCH) this.sites.set(site, { ip, at, environment });
  }

  #hourOf(at: number): { requests: number; errors: number } {
    const hour = at - (at % HOUR_MILLISECONDS);
    const counted = this.hours.get(hour) ?? { requests: 0, errors: 0 };
    this.hours.set(hour, counted);
    return counted;
  }
}

/** Tallies by tenant, then by the prefix of the key. */
export type TenantTallies = Map<string, Map<string, KeyUsageTally>>;

/** Maximum number of stored addresses of a key; a use from an address that was dropped counts as new again. */
const MAX_REMEMBERED_SITES = 50;

const findSeenBefore = statement<{ tenantId: string; prefixes: readonly string[] }, { prefix: string }>(
  'keyUse.seenBefore',
  (p) => sql`
  SELECT k.prefix FROM api_key k WHERE ${apiKey.as('k').equal({ tenantId: p.tenantId })}
    AND k.prefix = ANY (${p.prefixes})
    AND EXISTS (SELECT FROM api_key_site s WHERE s.tenant_id = k.tenant_id AND s.key_id = k.id)`,
);

const addSites = statement<
  {
    tenantId: string;
    prefixes: readonly string[];
    sites: readonly string[];
    times: readonly string[];
  },
  {
    keyId: string;
    prefix: string;
    site: string;
    isNew: boolean;
  }
>(
  'keyUse.sites',
  (p) => sql`
  INSERT INTO api_key_site AS s (${apiKeySite.list('tenantId', 'keyId', 'site', 'firstSeenAt', 'lastSeenAt')})
  SELECT k.tenant_id, k.id, c.site, c.at, c.at
  FROM unnest(${p.prefixes}::text[], ${p.sites}::text[], ${p.times}::timestamptz[]) AS c (prefix, site, at)
  JOIN api_key k ON k.tenant_id = ${p.tenantId}::uuid AND k.prefix = c.prefix
  ON CONFLICT (tenant_id, key_id, site) DO UPDATE SET last_seen_at = greatest(s.last_seen_at, excluded.last_seen_at)
  -- A row that was there before carries the transaction that last wrote it.
  RETURNING ${apiKeySite.as('s').select('keyId', 'site')}, (SELECT k.prefix FROM api_key k
    WHERE k.tenant_id = s.tenant_id AND k.id = s.key_id) AS prefix, (s.xmax = 0) AS "isNew"`,
);

const forgetSites = statement<{ tenantId: string; keyIds: readonly string[] }>(
  'keyUse.forgetSites',
  (p) => sql`
  DELETE FROM api_key_site s USING (
    SELECT key_id, site, row_number() OVER (PARTITION BY key_id ORDER BY last_seen_at DESC, site) AS position
    FROM api_key_site WHERE ${apiKeySite.equal({ tenantId: p.tenantId })} AND key_id = ANY (${p.keyIds})) ranked
  WHERE ${apiKeySite.as('s').equal({ tenantId: p.tenantId })} AND s.key_id = ranked.key_id AND s.site = ranked.site
    AND ranked.position > ${MAX_REMEMBERED_SITES}`,
);

/**
 * Stores the addresses from which keys were used, and writes an audit event for an address that is new to a key. The
 * first address of a key causes no event, because every key is used from some address.
 */
async function recordSites(tx: Transaction, tenantId: string, tallies: readonly KeyUsageTally[]): Promise<void> {
  if (tallies.length === 0) return;
  const seen = tallies.flatMap(({ prefix, sites }) =>
    [...sites].map(([site, { at }]) => ({ prefix, site, at: new Date(at).toISOString() })),
  );
  const before = tx.run(findSeenBefore, { tenantId, prefixes: tallies.map(({ prefix }) => prefix) });
  const rows = await tx.run(addSites, {
    tenantId,
    prefixes: seen.map(({ prefix }) => prefix),
    sites: seen.map(({ site }) => site),
    times: seen.map(({ at }) => at),
  });
  const added = rows.filter(({ isNew }) => isNew);
  if (added.length === 0) return;
  void tx.run(forgetSites, { tenantId, keyIds: [...new Set(added.map(({ keyId }) => keyId))] });
  const used = new Set((await before).map(({ prefix }) => prefix));
  for (const tally of tallies) {
    const newSites = [...tally.sites.keys()].filter((site) =>
      added.some((row) => row.prefix === tally.prefix && row.site === site),
    );
    for (const site of used.has(tally.prefix) ? newSites : newSites.slice(1)) recordNewSite(tx, tally, site);
  }
}

function recordNewSite(tx: Transaction, { prefix, name, sites }: KeyUsageTally, site: string): void {
  const sighting = sites.get(site);
  if (sighting === undefined) return;
  appendAudit(tx, {
    occurredAt: new Date(sighting.at).toISOString(),
    environment: sighting.environment,
    action: 'api_key.first_used_from_new_ip',
    outcome: 'success',
    actor: {
      type: 'api_key',
      id: prefix,
      display: name,
      impersonatorId: null,
    },
    resource: { type: 'api_key', id: prefix },
    ip: sighting.ip,
  });
}

/**
 * Updates the last use. Locks the keys in the order of their ids first, so that batches of several processes wait for
 * each other and cannot deadlock.
 */
const recordLastUse = statement<{
  tenantId: string;
  prefixes: readonly string[];
  times: readonly string[];
  ips: readonly string[];
}>(
  'keyUse.last',
  (p) => sql`
  WITH used AS (SELECT * FROM unnest(${p.prefixes}::text[], ${p.times}::timestamptz[], ${p.ips}::text[])
    AS u (prefix, at, ip)),
  locked AS (SELECT k.id, k.prefix FROM api_key k JOIN used USING (prefix)
    WHERE ${apiKey.as('k').equal({ tenantId: p.tenantId })} ORDER BY k.id FOR NO KEY UPDATE OF k)
  UPDATE api_key k SET ${apiKey.assign({ lastUsedAt: sql`used.at`, lastUsedIp: sql`used.ip` })}
  FROM locked JOIN used USING (prefix)
  WHERE ${apiKey.as('k').equal({ tenantId: p.tenantId })} AND k.id = locked.id
    AND (k.last_used_at IS NULL OR k.last_used_at <= used.at)`,
);

const addCounts = statement<{
  tenantId: string;
  prefixes: readonly string[];
  hours: readonly string[];
  requests: readonly string[];
  errors: readonly string[];
}>(
  'keyUse.count',
  (p) => sql`
  INSERT INTO api_key_usage AS u (${apiKeyUsage.list('tenantId', 'keyId', 'hour', 'requests', 'errors')})
  SELECT k.tenant_id, k.id, c.hour, c.requests, c.errors
  FROM unnest(${p.prefixes}::text[], ${p.hours}::timestamptz[], ${p.requests}::bigint[], ${p.errors}::bigint[])
    AS c (prefix, hour, requests, errors)
  JOIN api_key k ON k.tenant_id = ${p.tenantId}::uuid AND k.prefix = c.prefix
  ON CONFLICT (tenant_id, key_id, hour) DO UPDATE
    SET requests = u.requests + excluded.requests, errors = u.errors + excluded.errors`,
);

/** Stores the activity of keys within the tenants that they belong to. */
export class KeyUsageStore {
  readonly #database: Pick<Database, 'transaction'>;

  constructor(database: Pick<Database, 'transaction'>) {
    this.#database = database;
  }

  async write(tenantId: string, tallies: readonly KeyUsageTally[]): Promise<void> {
    await this.#database.transaction({ tenantId }, async (tx) => {
      const used = tallies.flatMap(({ prefix, lastUsed }) => (lastUsed === null ? [] : [{ prefix, ...lastUsed }]));
      void tx.run(recordLastUse, {
        tenantId,
        prefixes: used.map(({ prefix }) => prefix),
        times: used.map(timestampOf),
        ips: used.map(({ ip }) => ip),
      });
      const counts = tallies.flatMap(({ prefix, hours }) =>
        [...hours].map(([at, counted]) => ({ prefix, at, ...counted })),
      );
      void tx.run(addCounts, {
        tenantId,
        prefixes: counts.map(({ prefix }) => prefix),
        hours: counts.map(timestampOf),
        requests: counts.map(({ requests }) => String(requests)),
        errors: counts.map(({ errors }) => String(errors)),
      });
      await recordSites(
        tx,
        tenantId,
        tallies.filter(({ sites }) => sites.size > 0),
      );
    });
  }
}

function timestampOf({ at }: { readonly at: number }): string {
  return new Date(at).toISOString();
}
