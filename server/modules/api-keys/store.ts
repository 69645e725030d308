/**
 * Statements on `api_key`, used by the rules and handlers of this module only. Reads never include the MAC of the
 * secret. The condition on the status of a key repeats `statusAt` (layer identity) in SQL: if the two differ, lists
 * show another status than requests meet.
 */
import type { RealTime } from '../../base/time.ts';
import type { Role, Scope } from '../../contract/operation.ts';
import {
  every,
  keyset,
  sql,
  statement,
  type Fragment,
  type InsertOf,
  type Parameter,
  type RowOf,
  type Transaction,
} from '../../database/index.ts';
import { roleOfGrantor } from '../../identity/store.ts';
import { apiKey } from '../../identity/tables.ts';
import type { ApiKeyRecord } from './api-key.ts';

/** Columns of a key without the MAC of the secret, which no reader of keys needs. */
const own = apiKey.except('tenantId', 'secretMac', 'revokedAt', 'endRecordedAt');

interface KeyRow extends RowOf<typeof own> {
  readonly grantorRole: Role | null;
  readonly requests: number;
  readonly errors: number;
}

/** Returns the columns of a key with the role of its grantor and its usage in the 24 hours up to the current one. */
function recordAt(now: RealTime | Parameter<Date>): Fragment {
  const sum = (counter: Fragment): Fragment => sql`(SELECT coalesce(sum(u.${counter}), 0)::bigint FROM api_key_usage u
    WHERE u.tenant_id = api_key.tenant_id AND u.key_id = api_key.id
      AND u.hour > ${now}::timestamptz - interval '24 hours') AS ${counter}`;
  return sql`${own}, ${roleOfGrantor(sql`api_key`)} AS "grantorRole", ${sum(sql`requests`)}, ${sum(sql`errors`)}`;
}

function recordOf({ requests, errors, ...row }: KeyRow): ApiKeyRecord {
  return { ...apiKey.read(row), usage: { requests24h: requests, errors24h: errors } };
}

/** Key to be changed, and the time of the change. */
type KeyAt = {
  readonly tenantId: string;
  readonly id: string;
  readonly now: RealTime;
};

const lock = statement<{ tenantId: string; prefix: string; now: RealTime }, KeyRow>(
  'apiKey.lock',
  (p) => sql`
  SELECT ${recordAt(p.now)} FROM api_key WHERE ${apiKey.equal({ tenantId: p.tenantId, prefix: p.prefix })} FOR UPDATE`,
);

/** Values of a new key. `now` is the time of both its creation and its last change. */
export type NewApiKey = Omit<InsertOf<typeof apiKey>, 'createdAt' | 'updatedAt' | 'expiresAt' | 'grantedRole'> & {
  readonly expiresAt: Date | null;
  readonly grantedRole: Role;
  readonly now: RealTime;
};

const insert = statement<NewApiKey, KeyRow>(
  'apiKey.insert',
  (p) => sql`
  ${apiKey.insert(p, { createdAt: p.now, updatedAt: p.now })} RETURNING ${recordAt(p.now)}`,
);

/** Members of a key that its grantor determines. */
export type KeyGrant = Pick<ApiKeyRecord, 'grantedBy' | 'grantedRole' | 'personalData'>;

export type KeyChange = Pick<ApiKeyRecord, 'name' | 'pinEnvironment' | 'ipAllowlist' | 'expiresAt'> & KeyGrant;

const update = statement<KeyAt & KeyChange, KeyRow>(
  'apiKey.update',
  (p) => sql`
  UPDATE api_key SET ${apiKey.revise(p.now, {
    name: p.name,
    pinEnvironment: p.pinEnvironment,
    personalData: p.personalData,
    grantedBy: p.grantedBy,
    grantedRole: p.grantedRole,
    ipAllowlist: p.ipAllowlist,
    expiresAt: p.expiresAt,
  })}
  WHERE ${apiKey.equal({ tenantId: p.tenantId, id: p.id })} RETURNING ${recordAt(p.now)}`,
);

const replaceScopes = statement<KeyAt & KeyGrant & { scopes: readonly Scope[] }, KeyRow>(
  'apiKey.replaceScopes',
  (p) => sql`
  UPDATE api_key SET ${apiKey.revise(p.now, {
    scopes: p.scopes,
    personalData: p.personalData,
    grantedBy: p.grantedBy,
    grantedRole: p.grantedRole,
  })}
  WHERE ${apiKey.equal({ tenantId: p.tenantId, id: p.id })} RETURNING ${recordAt(p.now)}`,
);

const startRotation = statement<KeyAt & { successorPrefix: string; graceUntil: Date }>(
  'apiKey.startRotation',
  (p) => sql`
  UPDATE api_key
    SET ${apiKey.revise(p.now, { status: 'rotating', successorPrefix: p.successorPrefix, graceUntil: p.graceUntil })}
  WHERE ${apiKey.equal({ tenantId: p.tenantId, id: p.id })}`,
  { expectRows: 1 },
);

const revoke = statement<KeyAt>(
  'apiKey.revoke',
  (p) => sql`
  UPDATE api_key SET ${apiKey.revise(p.now, { status: 'revoked', revokedAt: p.now })}
    WHERE ${apiKey.equal({ tenantId: p.tenantId, id: p.id })}`,
  { expectRows: 1 },
);

/** Reads a key and locks it until the transaction ends. Returns null for a key of another tenant. */
export async function lockKey(
  tx: Transaction,
  tenantId: string,
  prefix: string,
  now: RealTime,
): Promise<ApiKeyRecord | null> {
  const [row] = await tx.run(lock, { tenantId, prefix, now });
  return row === undefined ? null : recordOf(row);
}

export async function insertKey(tx: Transaction, key: NewApiKey): Promise<ApiKeyRecord> {
  return recordOf((await tx.run(insert, key))[0] as KeyRow);
}

export async function updateKey(tx: Transaction, key: KeyAt, change: KeyChange): Promise<ApiKeyRecord> {
  const [row] = await tx.run(update, { ...key, ...change });
  return recordOf(row as KeyRow);
}

export async function replaceKeyScopes(
  tx: Transaction,
  key: KeyAt,
  scopes: readonly Scope[],
  { grantedBy, grantedRole, personalData }: KeyGrant,
): Promise<ApiKeyRecord> {
  const [row] = await tx.run(replaceScopes, {
    ...key,
    scopes,
    grantedBy,
    grantedRole,
    personalData,
  });
  return recordOf(row as KeyRow);
}

export async function startKeyRotation(
  tx: Transaction,
  key: KeyAt,
  rotation: { readonly successorPrefix: string; readonly graceUntil: Date },
): Promise<void> {
  await tx.run(startRotation, { ...key, ...rotation });
}

export async function revokeKey(tx: Transaction, key: KeyAt): Promise<void> {
  await tx.run(revoke, key);
}

interface KeyQuery {
  readonly tenantId: string;
  readonly status: readonly ('active' | 'rotating' | 'expired' | 'revoked')[];
  readonly environment: 'live' | 'test' | undefined;
  readonly unusedSince: Date | undefined;
  readonly createdAfter: Date | undefined;
  readonly createdBefore: Date | undefined;
  /** `created_at` and `id` of the last key of the previous page. */
  readonly after: readonly (string | number | null)[] | null;
  readonly count: number;
  readonly now: RealTime;
}

const NEWEST_FIRST = {
  key: sql`created_at`,
  type: sql`timestamptz`,
  id: sql`id`,
  direction: 'desc',
} as const;

/** Lists keys, newest first. */
export async function listKeys(tx: Transaction, query: KeyQuery): Promise<ApiKeyRecord[]> {
  const { tenantId, status, environment, unusedSince, createdAfter, createdBefore, after, count, now } = query;
  const page = keyset(NEWEST_FIRST, after);
  const rows = await tx.query<KeyRow>(sql`
    SELECT ${recordAt(now)} FROM api_key
    WHERE ${every([
      apiKey.equal({ tenantId }),
      status.length > 0 && sql`${statusAt(now)} = ANY (${status})`,
      environment !== undefined && apiKey.equal({ environment }),
      unusedSince !== undefined && sql`(last_used_at IS NULL OR last_used_at < ${unusedSince})`,
      createdAfter !== undefined && sql`created_at >= ${createdAfter}`,
      createdBefore !== undefined && sql`created_at < ${createdBefore}`,
      page.after,
    ])}
    ORDER BY ${page.order} LIMIT ${count}`);
  return rows.map(recordOf);
}

/** Returns `statusAt` as an SQL expression. */
const statusAt = (now: RealTime): Fragment =>
  sql`CASE WHEN status <> 'revoked' AND ends_at <= ${now} THEN 'expired' ELSE status END`;

const otherAdmin = statement<KeyAt & { environments: readonly string[] }, { found: boolean }>(
  'apiKey.otherAdmin',
  (p) => sql`
  SELECT true AS found FROM api_key
  WHERE ${apiKey.equal({ tenantId: p.tenantId })} AND id <> ${p.id} AND status <> 'revoked'
    AND 'admin' = ANY (scopes) AND environment = ANY (${p.environments}) AND (ends_at IS NULL OR ends_at > ${p.now})
      LIMIT 1`,
);

/** Returns whether another key can administer what this one can. A test key cannot administer live keys. */
export async function hasOtherAdminKey(
  tx: Transaction,
  tenantId: string,
  { id, environment }: ApiKeyRecord,
  now: RealTime,
): Promise<boolean> {
  const environments = environment === 'live' ? ['live'] : ['live', 'test'];
  const others = await tx.run(otherAdmin, {
    tenantId,
    id,
    environments,
    now,
  });
  return others.length > 0;
}

const restrictions = apiKey.select('endsAt', 'ipAllowlist', 'environment', 'pinEnvironment');

const findRestrictions = statement<{ tenantId: string; prefix: string }, RowOf<typeof restrictions>>(
  'apiKey.bounds',
  (p) => sql`
  SELECT ${restrictions} FROM api_key WHERE ${apiKey.equal({ tenantId: p.tenantId, prefix: p.prefix })}`,
);

/**
 * Returns the restrictions of a key. During a rotation the expiry is the end of the grace period, so that a superseded
 * key creates nothing that outlives it.
 */
export async function findKeyRestrictions(
  tx: Transaction,
  tenantId: string,
  prefix: string,
): Promise<Pick<ApiKeyRecord, 'expiresAt' | 'ipAllowlist' | 'environment' | 'pinEnvironment'> | null> {
  const [row] = await tx.run(findRestrictions, { tenantId, prefix });
  if (row === undefined) return null;
  const { endsAt, ...others } = row;
  return { ...others, expiresAt: endsAt === null ? null : new Date(endsAt) };
}

const inheritSites = statement<{ tenantId: string; from: string; to: string }>(
  'apiKey.inheritSites',
  (p) => sql`
  INSERT INTO api_key_site (tenant_id, key_id, site, first_seen_at, last_seen_at)
  SELECT tenant_id, ${p.to}::uuid, site, first_seen_at, last_seen_at FROM api_key_site
    WHERE tenant_id = ${p.tenantId}::uuid AND key_id = ${p.from}::uuid`,
);

/** Copies the known sites of a key to its successor, so that only the first use at another site is reported. */
export async function inheritKeySites(
  tx: Transaction,
  tenantId: string,
  { from, to }: { from: string; to: string },
): Promise<void> {
  await tx.run(inheritSites, { tenantId, from, to });
}
