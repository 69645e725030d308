import type { Scope } from '../../contract/principal.ts';
import { knex, STANDARD_QUOTAS, statement, type Transaction } from '../../database/index.ts';
import type { Actor, ApiKeyRecord } from './api-key.ts';

interface Row {
  id: string;
  prefix: string;
  name: string;
  environment: 'live' | 'test';
  scopes: Scope[];
  pin_environment: boolean;
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
  'id', 'prefix', 'name', 'environment', 'scopes', 'pin_environment', 'ip_allowlist', 'expires_at', 'ends_at', 'status',
  'successor_prefix', 'grace_until', 'created_by', 'last_used_at', 'last_used_ip', 'created_at', 'updated_at', 'version',
];

/** With the uses of the 24 hours that end with the current one. */
function columnsAt(now: Date | { readonly parameter: string }): (string | ReturnType<typeof knex.raw>)[] {
  const sum = (counter: string): ReturnType<typeof knex.raw> => knex.raw(`(SELECT coalesce(sum(u.${counter}), 0)::bigint FROM api_key_usage u
    WHERE u.tenant_id = api_key.tenant_id AND u.key_id = api_key.id AND u.hour > ?::timestamptz - interval '24 hours') AS ${counter}`, [now as Date]);
  return [...columns, sum('requests'), sum('errors')];
}

const lock = statement<{ tenantId: string; prefix: string; now: Date }, Row>('apiKey.lock', (knex, p) =>
  knex('api_key').select(columnsAt(p.now)).where({ tenant_id: p.tenantId, prefix: p.prefix }).forUpdate());

const lockTenant = statement<{ tenantId: string }, { quota: number | null }>('apiKey.lockTenant', (knex, p) =>
  knex('tenant').select(knex.raw(`(quotas->>'apiKeys')::integer AS quota`)).where({ id: p.tenantId }).forNoKeyUpdate());

const countActive = statement<{ tenantId: string; now: Date }, { count: number }>('apiKey.countActive', (knex, p) =>
  knex('api_key').where({ tenant_id: p.tenantId, status: 'active' })
    .where(knex.raw('(ends_at IS NULL OR ends_at > ?)', [p.now])).count('* as count'));

const insert = statement<{
  tenantId: string; id: string; prefix: string; name: string; environment: string; scopes: readonly string[]; pinEnvironment: boolean;
  ipAllowlist: readonly string[]; expiresAt: Date | null; secretMac: Buffer; createdBy: Record<string, unknown>; now: Date;
}, Row>('apiKey.insert', (knex, p) => knex('api_key').insert({
  tenant_id: p.tenantId, id: p.id, prefix: p.prefix, name: p.name, environment: p.environment, scopes: p.scopes,
  pin_environment: p.pinEnvironment, ip_allowlist: p.ipAllowlist, expires_at: p.expiresAt, secret_mac: p.secretMac,
  created_by: p.createdBy, created_at: p.now, updated_at: p.now,
}).returning(columnsAt(p.now)));

const update = statement<{
  tenantId: string; id: string; name: string; pinEnvironment: boolean; ipAllowlist: readonly string[]; expiresAt: Date | null; now: Date;
}, Row>('apiKey.update', (knex, p) => knex('api_key').where({ tenant_id: p.tenantId, id: p.id }).update({
  name: p.name, pin_environment: p.pinEnvironment, ip_allowlist: p.ipAllowlist, expires_at: p.expiresAt,
  updated_at: p.now, version: knex.raw('version + 1'),
}).returning(columnsAt(p.now)));

const replaceScopes = statement<{ tenantId: string; id: string; scopes: readonly string[]; now: Date }, Row>('apiKey.replaceScopes', (knex, p) =>
  knex('api_key').where({ tenant_id: p.tenantId, id: p.id })
    .update({ scopes: p.scopes, updated_at: p.now, version: knex.raw('version + 1') }).returning(columnsAt(p.now)));

const startRotation = statement<{ tenantId: string; id: string; successorPrefix: string; graceUntil: Date; now: Date }>('apiKey.startRotation', (knex, p) =>
  knex('api_key').where({ tenant_id: p.tenantId, id: p.id }).update({
    status: 'rotating', successor_prefix: p.successorPrefix, grace_until: p.graceUntil, updated_at: p.now, version: knex.raw('version + 1'),
  }), { expectRows: 1 });

const revoke = statement<{ tenantId: string; id: string; now: Date }>('apiKey.revoke', (knex, p) =>
  knex('api_key').where({ tenant_id: p.tenantId, id: p.id })
    .update({ status: 'revoked', revoked_at: p.now, updated_at: p.now, version: knex.raw('version + 1') }), { expectRows: 1 });

const otherAdmin = statement<{ tenantId: string; id: string; environments: readonly string[]; now: Date }, { found: boolean }>('apiKey.otherAdmin', (knex, p) =>
  knex('api_key').select(knex.raw('true AS found')).where({ tenant_id: p.tenantId }).whereNot('id', p.id as never).whereNot('status', 'revoked')
    .where(knex.raw(`'admin' = ANY (scopes) AND environment = ANY (?) AND (ends_at IS NULL OR ends_at > ?)`, [p.environments as never, p.now])).limit(1));

/** The key, held until the end of the transaction; null also for a key of another tenant. */
export async function lockKey(tx: Transaction, tenantId: string, prefix: string, now: Date): Promise<ApiKeyRecord | null> {
  const [row] = await tx.run(lock, { tenantId, prefix, now });
  return row === undefined ? null : recordOf(row);
}

/**
 * Whether the tenant may have another key. Those that work and are not on their way out count; under a lock, so that two
 * creations cannot both be the last one.
 */
export async function hasRoomForKey(tx: Transaction, tenantId: string, now: Date): Promise<boolean> {
  const [[tenant], [active]] = await Promise.all([tx.run(lockTenant, { tenantId }), tx.run(countActive, { tenantId, now })]);
  return (active?.count ?? 0) < (tenant?.quota ?? STANDARD_QUOTAS.apiKeys);
}

export interface NewApiKey {
  readonly tenantId: string;
  readonly id: string;
  readonly prefix: string;
  readonly name: string;
  readonly environment: 'live' | 'test';
  readonly scopes: readonly Scope[];
  readonly pinEnvironment: boolean;
  readonly ipAllowlist: readonly string[];
  readonly expiresAt: Date | null;
  readonly secretMac: Buffer;
  readonly createdBy: Actor;
  readonly now: Date;
}

export async function insertKey(tx: Transaction, key: NewApiKey): Promise<ApiKeyRecord> {
  return recordOf((await tx.run(insert, { ...key, createdBy: { ...key.createdBy } }))[0] as Row);
}

export type KeyChange = Pick<ApiKeyRecord, 'name' | 'pinEnvironment' | 'ipAllowlist' | 'expiresAt'>;

export async function updateKey(tx: Transaction, tenantId: string, id: string, change: KeyChange, now: Date): Promise<ApiKeyRecord> {
  return recordOf((await tx.run(update, { tenantId, id, now, ...change }))[0] as Row);
}

export async function replaceKeyScopes(tx: Transaction, tenantId: string, id: string, scopes: readonly Scope[], now: Date): Promise<ApiKeyRecord> {
  return recordOf((await tx.run(replaceScopes, { tenantId, id, scopes, now }))[0] as Row);
}

export async function startKeyRotation(
  tx: Transaction, tenantId: string, id: string, rotation: { successorPrefix: string; graceUntil: Date }, now: Date,
): Promise<void> {
  await tx.run(startRotation, { tenantId, id, now, ...rotation });
}

export async function revokeKey(tx: Transaction, tenantId: string, id: string, now: Date): Promise<void> {
  await tx.run(revoke, { tenantId, id, now });
}

/** Whether a key remains that can administer what this one could: test keys see no live ones. */
export async function hasOtherAdminKey(tx: Transaction, tenantId: string, { id, environment }: ApiKeyRecord, now: Date): Promise<boolean> {
  const environments = environment === 'live' ? ['live'] : ['live', 'test'];
  return (await tx.run(otherAdmin, { tenantId, id, environments, now })).length > 0;
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
  if (query.status.length > 0) keys.whereRaw(`${STATUS} = ANY(?)`, [query.now, [...query.status]]);
  if (query.environment !== undefined) keys.where('environment', query.environment);
  if (query.unusedSince !== undefined) keys.whereRaw('(last_used_at IS NULL OR last_used_at < ?)', [query.unusedSince]);
  if (query.createdAfter !== undefined) keys.where('created_at', '>=', query.createdAfter);
  if (query.createdBefore !== undefined) keys.where('created_at', '<', query.createdBefore);
  if (query.after !== null) keys.whereRaw('(created_at, id) < (?, ?)', [...query.after]);
  keys.orderBy([{ column: 'created_at', order: 'desc' }, { column: 'id', order: 'desc' }]).limit(query.limit + 1);
  return (await tx.query<Row>(keys)).map(recordOf);
}

/** `statusAt` in SQL. */
const STATUS = `CASE WHEN status <> 'revoked' AND ends_at <= ? THEN 'expired' ELSE status END`;

function recordOf(row: Row): ApiKeyRecord {
  return {
    id: row.id, prefix: row.prefix, name: row.name, environment: row.environment, scopes: row.scopes,
    pinEnvironment: row.pin_environment, ipAllowlist: row.ip_allowlist, status: row.status, endsAt: row.ends_at,
    expiresAt: row.expires_at === null ? null : new Date(row.expires_at),
    graceUntil: row.grace_until === null ? null : new Date(row.grace_until),
    successorPrefix: row.successor_prefix, createdBy: row.created_by, lastUsedAt: row.last_used_at,
    lastUsedIp: row.last_used_ip, usage: { requests24h: row.requests, errors24h: row.errors },
    createdAt: row.created_at, updatedAt: row.updated_at, version: row.version,
  };
}
