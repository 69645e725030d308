import type { PersonalData, Role, Scope } from '../../contract/operation.ts';
import { type Fragment, knex, type Parameter, sql, statement, type Transaction } from '../../database/index.ts';
import { roleOfGrantor } from '../../identity/store.ts';
import { STANDARD_QUOTAS } from '../../identity/tenant.ts';
import type { Actor, ApiKeyRecord } from './api-key.ts';

export interface KeyRow {
  id: string;
  prefix: string;
  client_id: string;
  quota_client_id: string;
  name: string;
  environment: 'live' | 'test';
  scopes: Scope[];
  pin_environment: boolean;
  personal_data: PersonalData;
  granted_by: string | null;
  granted_role: Role | null;
  grantor_role: Role | null;
  ip_allowlist: string[];
  expires_at: string | null;
  ends_at: string | null;
  status: 'active' | 'rotating' | 'revoked';
  successor_prefix: string | null;
  grace_until: string | null;
  created_by: Actor;
  last_used_at: string | null;
  last_used_ip: string | null;
  requests: number;
  errors: number;
  created_at: string;
  updated_at: string;
  version: number;
}

/** The MAC of the secret is not among them: no reader of keys needs it. */
const columns = [
  'id', 'prefix', 'client_id', 'quota_client_id', 'name', 'environment', 'scopes', 'pin_environment', 'personal_data', 'granted_by', 'granted_role', 'ip_allowlist', 'expires_at', 'ends_at', 'status',
  'successor_prefix', 'grace_until', 'created_by', 'last_used_at', 'last_used_ip', 'created_at', 'updated_at', 'version',
];

/** With the role of the grantor and the uses of the 24 hours that end with the current one. */
export function columnsAt(now: Date | Parameter): (string | Fragment)[] {
  const sum = (counter: Fragment): Fragment => sql`(SELECT coalesce(sum(u.${counter}), 0)::bigint FROM api_key_usage u
    WHERE u.tenant_id = api_key.tenant_id AND u.key_id = api_key.id AND u.hour > ${now}::timestamptz - interval '24 hours') AS ${counter}`;
  return [...columns, sql`${roleOfGrantor(sql`api_key`)} AS grantor_role`, sum(sql`requests`), sum(sql`errors`)];
}

export function recordOf(row: KeyRow): ApiKeyRecord {
  return {
    id: row.id, prefix: row.prefix, clientId: row.client_id, quotaClientId: row.quota_client_id, name: row.name, environment: row.environment, scopes: row.scopes,
    grantedBy: row.granted_by, grantedRole: row.granted_role, grantorRole: row.grantor_role, personalData: row.personal_data,
    pinEnvironment: row.pin_environment, ipAllowlist: row.ip_allowlist, status: row.status, endsAt: row.ends_at,
    expiresAt: row.expires_at === null ? null : new Date(row.expires_at),
    graceUntil: row.grace_until === null ? null : new Date(row.grace_until),
    successorPrefix: row.successor_prefix, createdBy: row.created_by, lastUsedAt: row.last_used_at,
    lastUsedIp: row.last_used_ip, usage: { requests24h: row.requests, errors24h: row.errors },
    createdAt: row.created_at, updatedAt: row.updated_at, version: row.version,
  };
}

const lock = statement<{ tenantId: string; prefix: string; now: Date }, KeyRow>('apiKey.lock', (p) =>
  knex('api_key').select(columnsAt(p.now)).where({ tenant_id: p.tenantId, prefix: p.prefix }).forUpdate());

const insert = statement<{
  tenantId: string; id: string; prefix: string; clientId: string; quotaClientId: string; name: string; environment: string; scopes: readonly string[];
  pinEnvironment: boolean; personalData: string; grantedBy: string | null; grantedRole: string; ipAllowlist: readonly string[]; expiresAt: Date | null;
  secretMac: Buffer; createdBy: Record<string, unknown>; now: Date;
}, KeyRow>('apiKey.insert', (p) => knex('api_key').insert({
  tenant_id: p.tenantId, id: p.id, prefix: p.prefix, client_id: p.clientId, quota_client_id: p.quotaClientId, name: p.name, environment: p.environment,
  scopes: p.scopes, personal_data: p.personalData, granted_by: p.grantedBy, granted_role: p.grantedRole, pin_environment: p.pinEnvironment, ip_allowlist: p.ipAllowlist, expires_at: p.expiresAt, secret_mac: p.secretMac,
  created_by: p.createdBy, created_at: p.now, updated_at: p.now,
}).returning(columnsAt(p.now)));

const update = statement<{
  tenantId: string; id: string; name: string; pinEnvironment: boolean; personalData: string; grantedBy: string | null; grantedRole: string | null;
  ipAllowlist: readonly string[]; expiresAt: Date | null; now: Date;
}, KeyRow>('apiKey.update', (p) => knex('api_key').where({ tenant_id: p.tenantId, id: p.id }).update({
  name: p.name, pin_environment: p.pinEnvironment, personal_data: p.personalData, granted_by: p.grantedBy, granted_role: p.grantedRole,
  ip_allowlist: p.ipAllowlist, expires_at: p.expiresAt,
  updated_at: p.now, version: sql`version + 1`,
}).returning(columnsAt(p.now)));

const replaceScopes = statement<{
  tenantId: string; id: string; scopes: readonly string[]; personalData: string; grantedBy: string | null; grantedRole: string | null; now: Date;
}, KeyRow>('apiKey.replaceScopes', (p) =>
  knex('api_key').where({ tenant_id: p.tenantId, id: p.id })
    .update({ scopes: p.scopes, personal_data: p.personalData, granted_by: p.grantedBy, granted_role: p.grantedRole, updated_at: p.now, version: sql`version + 1` }).returning(columnsAt(p.now)));

const startRotation = statement<{ tenantId: string; id: string; successorPrefix: string; graceUntil: Date; now: Date }>('apiKey.startRotation', (p) =>
  knex('api_key').where({ tenant_id: p.tenantId, id: p.id }).update({
    status: 'rotating', successor_prefix: p.successorPrefix, grace_until: p.graceUntil, updated_at: p.now, version: sql`version + 1`,
  }), { expectRows: 1 });

const revoke = statement<{ tenantId: string; id: string; now: Date }>('apiKey.revoke', (p) =>
  knex('api_key').where({ tenant_id: p.tenantId, id: p.id })
    .update({ status: 'revoked', revoked_at: p.now, updated_at: p.now, version: sql`version + 1` }), { expectRows: 1 });

/** The key, held until the end of the transaction; null also for a key of another tenant. */
export async function lockKey(tx: Transaction, tenantId: string, prefix: string, now: Date): Promise<ApiKeyRecord | null> {
  const [row] = await tx.run(lock, { tenantId, prefix, now });
  return row === undefined ? null : recordOf(row);
}

export interface NewApiKey {
  readonly tenantId: string;
  readonly id: string;
  readonly prefix: string;
  readonly clientId: string;
  readonly quotaClientId: string;
  readonly name: string;
  readonly environment: 'live' | 'test';
  readonly scopes: readonly Scope[];
  readonly pinEnvironment: boolean;
  readonly personalData: PersonalData;
  readonly grantedBy: string | null;
  readonly grantedRole: Role;
  readonly ipAllowlist: readonly string[];
  readonly expiresAt: Date | null;
  readonly secretMac: Buffer;
  readonly createdBy: Actor;
  readonly now: Date;
}

/** What a grantor gives. */
export type KeyGrant = Pick<ApiKeyRecord, 'grantedBy' | 'grantedRole' | 'personalData'>;

export async function insertKey(tx: Transaction, key: NewApiKey): Promise<ApiKeyRecord> {
  return recordOf((await tx.run(insert, { ...key, createdBy: { ...key.createdBy } }))[0] as KeyRow);
}

export type KeyChange = Pick<ApiKeyRecord, 'name' | 'pinEnvironment' | 'ipAllowlist' | 'expiresAt'> & KeyGrant;

export async function updateKey(tx: Transaction, tenantId: string, id: string, change: KeyChange, now: Date): Promise<ApiKeyRecord> {
  return recordOf((await tx.run(update, { tenantId, id, now, ...change }))[0] as KeyRow);
}

export async function replaceKeyScopes(
  tx: Transaction, tenantId: string, id: string, scopes: readonly Scope[], { grantedBy, grantedRole, personalData }: KeyGrant, now: Date,
): Promise<ApiKeyRecord> {
  return recordOf((await tx.run(replaceScopes, { tenantId, id, scopes, grantedBy, grantedRole, personalData, now }))[0] as KeyRow);
}

export async function startKeyRotation(
  tx: Transaction, tenantId: string, id: string, rotation: { successorPrefix: string; graceUntil: Date }, now: Date,
): Promise<void> {
  await tx.run(startRotation, { tenantId, id, now, ...rotation });
}

export async function revokeKey(tx: Transaction, tenantId: string, id: string, now: Date): Promise<void> {
  await tx.run(revoke, { tenantId, id, now });
}

export interface KeyQuery {
  readonly tenantId: string;
  readonly status: readonly ('active' | 'rotating' | 'expired' | 'revoked')[];
  readonly environment: 'live' | 'test' | undefined;
  readonly unusedSince: Date | undefined;
  readonly createdAfter: Date | undefined;
  readonly createdBefore: Date | undefined;
  /** `created_at` and `id` of the last key of the page before. */
  readonly after: readonly [createdAt: string, id: string] | null;
  readonly limit: number;
  readonly now: Date;
}

/** Newest first, one row more than the page so that the caller sees whether there is another. */
export async function listKeys(tx: Transaction, query: KeyQuery): Promise<ApiKeyRecord[]> {
  const keys = knex('api_key').select(columnsAt(query.now)).where({ tenant_id: query.tenantId });
  if (query.status.length > 0) keys.where(sql`${statusAt(query.now)} = ANY(${query.status})`);
  if (query.environment !== undefined) keys.where('environment', query.environment);
  if (query.unusedSince !== undefined) keys.where(sql`(last_used_at IS NULL OR last_used_at < ${query.unusedSince})`);
  if (query.createdAfter !== undefined) keys.where('created_at', '>=', query.createdAfter);
  if (query.createdBefore !== undefined) keys.where('created_at', '<', query.createdBefore);
  if (query.after !== null) keys.where(sql`(created_at, id) < (${query.after[0]}, ${query.after[1]})`);
  keys.orderBy([{ column: 'created_at', order: 'desc' }, { column: 'id', order: 'desc' }]).limit(query.limit + 1);
  return (await tx.query<KeyRow>(keys)).map(recordOf);
}

/** `statusAt` in SQL. */
const statusAt = (now: Date): Fragment => sql`CASE WHEN status <> 'revoked' AND ends_at <= ${now} THEN 'expired' ELSE status END`;

const lockTenant = statement<{ tenantId: string }, { quota: number | null }>('apiKey.lockTenant', (p) =>
  knex('tenant').select(sql`(quotas->>'apiKeys')::integer AS quota`).where({ id: p.tenantId }).forNoKeyUpdate());

const countActive = statement<{ tenantId: string; now: Date }, { count: number }>('apiKey.countActive', (p) =>
  knex('api_key').where({ tenant_id: p.tenantId, status: 'active' })
    .where(sql`(ends_at IS NULL OR ends_at > ${p.now})`).count('* as count'));

const otherAdmin = statement<{ tenantId: string; id: string; environments: readonly string[]; now: Date }, { found: boolean }>('apiKey.otherAdmin', (p) =>
  knex('api_key').select(sql`true AS found`).where({ tenant_id: p.tenantId }).where(sql`id <> ${p.id}`).whereNot('status', 'revoked')
    .where(sql`'admin' = ANY (scopes) AND environment = ANY (${p.environments}) AND (ends_at IS NULL OR ends_at > ${p.now})`).limit(1));

/**
 * Whether the tenant may have another key. Those that work and are not on their way out count; under a lock, so that two
 * creations cannot both be the last one.
 */
export async function hasRoomForKey(tx: Transaction, tenantId: string, now: Date): Promise<boolean> {
  const [[tenant], [active]] = await Promise.all([tx.run(lockTenant, { tenantId }), tx.run(countActive, { tenantId, now })]);
  return (active?.count ?? 0) < (tenant?.quota ?? STANDARD_QUOTAS.apiKeys);
}

/** Whether a key remains that can administer what this one could: test keys see no live ones. */
export async function hasOtherAdminKey(tx: Transaction, tenantId: string, { id, environment }: ApiKeyRecord, now: Date): Promise<boolean> {
  const environments = environment === 'live' ? ['live'] : ['live', 'test'];
  return (await tx.run(otherAdmin, { tenantId, id, environments, now })).length > 0;
}
