import type { PersonalData, Role, Scope } from '../../contract/principal.ts';
import { knex, sql, statement, type Transaction } from '../../database/index.ts';
import type { Actor, ApiKeyRecord } from './api-key.ts';
import { columnsAt, recordOf, type KeyRow } from './key-row.ts';

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
