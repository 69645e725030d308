import type { Role, Scope } from '../contract/principal.ts';
import { knex, sql, statement, type Fragment, type Database } from '../database/index.ts';
import type { Grant } from './grantor.ts';
import type { KeyLife } from './key-life.ts';
import type { TenantStatus } from './tenant-status.ts';

/** What a request must know of the tenant of its credential. */
export interface TenantState {
  readonly tenantId: string;
  readonly tenantStatus: TenantStatus;
  readonly sandboxEnabled: boolean;
  readonly sandboxClockOffsetSeconds: number;
  readonly tenantRatePerMinute: number | null;
}

export interface KeyRecord extends TenantState, KeyLife, Grant {
  readonly id: string;
  readonly prefix: string;
  readonly name: string;
  readonly environment: 'live' | 'test';
  readonly scopes: readonly Scope[];
  readonly pinEnvironment: boolean;
  readonly ipAllowlist: readonly string[];
  readonly secretMac: Buffer;
  /** Of the line of keys that rotations make, and of the one whose quota it uses. */
  readonly clientId: string;
  readonly quotaClientId: string;
}

export interface SessionRecord extends TenantState {
  readonly sessionId: string;
  readonly userId: string;
  readonly name: string;
  readonly role: Role;
  readonly mfa: boolean;
  readonly ended: boolean;
  readonly userActive: boolean;
  /** The person has a second factor, and sign-ins ask for it. */
  readonly mfaEnrolled: boolean;
  /** The tenant demands one of everybody. */
  readonly mfaRequired: boolean;
}

const TENANT = [
  't.id as tenantId', 't.status as tenantStatus', 't.sandbox_enabled as sandboxEnabled', 't.sandbox_clock_offset_seconds as sandboxClockOffsetSeconds',
  sql`(t.quotas->>'ratePerMinute')::integer AS "tenantRatePerMinute"`,
];

/** In SQL, the role that the grantor of a key has now. Who is locked comes back, and goes on answering for it meanwhile. */
export function roleOfGrantor(key: Fragment): Fragment {
  return sql`CASE WHEN ${key}.granted_by IS NULL THEN ${key}.granted_role ELSE (
    SELECT m.role FROM membership m JOIN user_account u ON u.id = m.user_id
    WHERE m.tenant_id = ${key}.tenant_id AND m.user_id = ${key}.granted_by AND m.status IN ('active', 'locked') AND u.status IN ('active', 'locked')) END`;
}

const keyByPrefix = statement<{ prefix: string }, KeyRecord>('credentials.keyByPrefix', (p) =>
  knex('api_key as k').join('tenant as t', 't.id', 'k.tenant_id').where('k.prefix', p.prefix).select(
    ...TENANT, 'k.id', 'k.prefix', 'k.name', 'k.environment', 'k.scopes', 'k.pin_environment as pinEnvironment',
    'k.ip_allowlist as ipAllowlist', 'k.secret_mac as secretMac', 'k.status', 'k.ends_at as endsAt',
    'k.client_id as clientId', 'k.quota_client_id as quotaClientId', 'k.personal_data as personalData', 'k.granted_by as grantedBy',
    'k.granted_role as grantedRole', sql`${roleOfGrantor(sql`k`)} AS "grantorRole"`,
  ));

const sessionById = statement<{ tenantId: string; sessionId: string }, SessionRecord>('credentials.sessionById', (p) =>
  knex('session as s')
    .join('tenant as t', 't.id', 's.tenant_id')
    .join('membership as m', (on) => on.on('m.tenant_id', 's.tenant_id').andOn('m.user_id', 's.user_id'))
    .join('user_account as u', 'u.id', 's.user_id')
    .leftJoin('user_totp as f', 'f.user_id', 's.user_id')
    .leftJoin('tenant_settings as c', 'c.tenant_id', 's.tenant_id')
    .where({ 's.tenant_id': p.tenantId, 's.id': p.sessionId })
    .select(
      ...TENANT, 's.id as sessionId', 's.user_id as userId', sql`coalesce(m.name, u.name) AS name`, 'm.role', 's.mfa',
      sql`(s.ended_at IS NOT NULL OR s.absolute_expires_at <= now()) AS ended`,
      sql`(u.status = 'active' AND m.status = 'active') AS "userActive"`,
      sql`(f.confirmed_at IS NOT NULL) AS "mfaEnrolled"`,
      // Where the tenant has set nothing the platform's default holds: no second factor is demanded.
      sql`coalesce((c.document#>>'{security,mfaRequired}')::boolean, false) AS "mfaRequired"`,
    ));

/** The look-ups that happen before a tenant is known, through the platform's role. */
export class CredentialsStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async key(prefix: string): Promise<KeyRecord | null> {
    const [row] = await this.#database.platform({ tenantId: null, readOnly: true }, (tx) => tx.run(keyByPrefix, { prefix }));
    return row ?? null;
  }

  async session(tenantId: string, sessionId: string): Promise<SessionRecord | null> {
    const [row] = await this.#database.platform({ tenantId: null, readOnly: true }, (tx) => tx.run(sessionById, { tenantId, sessionId }));
    return row ?? null;
  }
}
