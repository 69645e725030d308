import type { PersonalData, Role, Scope } from '../../contract/principal.ts';
import { sql, type Fragment, type Parameter } from '../../database/index.ts';
import { roleOfGrantor } from '../../http/credentials-store.ts';
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
