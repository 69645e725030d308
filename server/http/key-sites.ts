import { appendAudit, sql, statement, type Transaction } from '../database/index.ts';
import type { KeyTally } from './key-tally.ts';

/** How many sites of a key are remembered: coming from a forgotten one is news again. */
const MOST_SITES = 50;

const findSeenBefore = statement<{ tenantId: string; prefixes: readonly string[] }, { prefix: string }>('keyUse.seenBefore', (p) => sql`
  SELECT k.prefix FROM api_key k WHERE k.tenant_id = ${p.tenantId}::uuid AND k.prefix = ANY (${p.prefixes})
    AND EXISTS (SELECT FROM api_key_site s WHERE s.tenant_id = k.tenant_id AND s.key_id = k.id)`);

const addSites = statement<{
  tenantId: string; prefixes: readonly string[]; sites: readonly string[]; times: readonly string[];
}, { keyId: string; prefix: string; site: string; isNew: boolean }>('keyUse.sites', (p) => sql`
  INSERT INTO api_key_site AS s (tenant_id, key_id, site, first_seen_at, last_seen_at)
  SELECT k.tenant_id, k.id, c.site, c.at, c.at
  FROM unnest(${p.prefixes}::text[], ${p.sites}::text[], ${p.times}::timestamptz[]) AS c (prefix, site, at)
  JOIN api_key k ON k.tenant_id = ${p.tenantId}::uuid AND k.prefix = c.prefix
  ON CONFLICT (tenant_id, key_id, site) DO UPDATE SET last_seen_at = greatest(s.last_seen_at, excluded.last_seen_at)
  -- A row that was there before carries the transaction that last wrote it.
  RETURNING s.key_id AS "keyId", (SELECT k.prefix FROM api_key k WHERE k.tenant_id = s.tenant_id AND k.id = s.key_id) AS prefix, s.site, (s.xmax = 0) AS "isNew"`);

const forgetSites = statement<{ tenantId: string; keyIds: readonly string[] }>('keyUse.forgetSites', (p) => sql`
  DELETE FROM api_key_site s USING (
    SELECT key_id, site, row_number() OVER (PARTITION BY key_id ORDER BY last_seen_at DESC, site) AS place
    FROM api_key_site WHERE tenant_id = ${p.tenantId}::uuid AND key_id = ANY (${p.keyIds}::uuid[])) ranked
  WHERE s.tenant_id = ${p.tenantId}::uuid AND s.key_id = ranked.key_id AND s.site = ranked.site AND ranked.place > ${MOST_SITES}`);

/**
 * Remembers where keys were used from, and writes an event for a site that is new to a key. Its first site of all is no
 * news: it has to be used from somewhere.
 */
export async function recordSites(tx: Transaction, tenantId: string, tallies: readonly KeyTally[]): Promise<void> {
  if (tallies.length === 0) return;
  const seen = tallies.flatMap(({ prefix, sites }) => [...sites].map(([site, { at }]) => ({ prefix, site, at: new Date(at).toISOString() })));
  const before = tx.run(findSeenBefore, { tenantId, prefixes: tallies.map(({ prefix }) => prefix) });
  const rows = await tx.run(addSites, {
    tenantId, prefixes: seen.map(({ prefix }) => prefix), sites: seen.map(({ site }) => site), times: seen.map(({ at }) => at),
  });
  const added = rows.filter(({ isNew }) => isNew);
  if (added.length === 0) return;
  void tx.run(forgetSites, { tenantId, keyIds: [...new Set(added.map(({ keyId }) => keyId))] });
  const used = new Set((await before).map(({ prefix }) => prefix));
  for (const tally of tallies) {
    const news = [...tally.sites.keys()].filter((site) => added.some((row) => row.prefix === tally.prefix && row.site === site));
    for (const site of used.has(tally.prefix) ? news : news.slice(1)) tell(tx, tally, site);
  }
}

function tell(tx: Transaction, { prefix, name, sites }: KeyTally, site: string): void {
  const sighting = sites.get(site);
  if (sighting === undefined) return;
  appendAudit(tx, {
    occurredAt: new Date(sighting.at).toISOString(), environment: sighting.environment, action: 'api_key.first_used_from_new_ip', outcome: 'success',
    actor: { type: 'api_key', id: prefix, display: name, impersonatorId: null }, resource: { type: 'api_key', id: prefix }, ip: sighting.ip,
  });
}
