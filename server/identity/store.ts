/**
 * Statements that load the credential of a request with the state of its tenant, and that create tenants. Used by the
 * credential cache and by modules about tenants. They run before a tenant is known, so as the platform's role.
 */
import { genesisHash } from '../audit/chain.ts';
import { auditHead } from '../audit/store.ts';
import { SECOND_MILLISECONDS } from '../base/time.ts';
import type { Role, Scope } from '../contract/operation.ts';
import type { Database, Fragment } from '../database/index.ts';
import { sql } from '../database/sql.ts';
import { statement } from '../database/statement.ts';
import type { AuditChain, Transaction } from '../database/transaction.ts';
import type { KeyValidity } from './api-key.ts';
import type { Grant } from './grantor.ts';
import { apiKey, session, tenant } from './tables.ts';
import type { Quotas, TenantStatus } from './tenant.ts';

interface NewTenant {
  readonly id: string;
  readonly slug: string;
  readonly name: string;
  /** Initial status. A tenant in `onboarding` works in the sandbox until it goes live. */
  readonly status?: 'onboarding' | 'active';
  readonly plan?: string;
  readonly region?: string;
  /** Quotas; an omitted one is unlimited. */
  readonly quotas?: Partial<Quotas>;
  /** Time on the clock of the service, like all times of a record. */
  readonly now: Date;
}

/** A tenant in a round of periodic work. */
export interface ScheduledTenant {
  readonly id: string;
  /** Time by which the tenant's sandbox is ahead of real time. */
  readonly sandboxAheadMilliseconds: number;
}

/** Returns a tenant for a round from its row. */
export function scheduledTenant({
  id,
  sandboxClockOffsetSeconds,
}: {
  readonly id: string;
  readonly sandboxClockOffsetSeconds: number;
}): ScheduledTenant {
  return { id, sandboxAheadMilliseconds: sandboxClockOffsetSeconds * SECOND_MILLISECONDS };
}

const insertTenant = statement<{
  id: string;
  slug: string;
  name: string;
  status: TenantStatus;
  sandboxEnabled: boolean;
  plan: string;
  region: string;
  quotas: Partial<Quotas>;
  now: Date;
}>('tenant.insert', (p) =>
  tenant.insert(
    {
      id: p.id,
      slug: p.slug,
      name: p.name,
      status: p.status,
      sandboxEnabled: p.sandboxEnabled,
      sandboxEnabledAt: sql`CASE WHEN ${p.sandboxEnabled}::boolean THEN ${p.now}::timestamptz END`,
      plan: p.plan,
      region: p.region,
      quotas: p.quotas,
    },
    { createdAt: p.now, updatedAt: p.now },
  ),
);

const insertAuditHead = statement<{ id: string; chain: AuditChain; genesis: Buffer }>('tenant.insertAuditHead', (p) =>
  auditHead.insert(
    {
      tenantId: p.id,
      sequence: 0,
      prevHash: p.genesis,
      hash: p.genesis,
    },
    { chain: p.chain },
  ),
);

const insertFeeds = statement<{ id: string }>(
  'tenant.insertFeeds',
  (p) => sql`INSERT INTO fr_feed (tenant_id, env) VALUES (${p.id}, 'live'), (${p.id}, 'sandbox')`,
);

/** Creates a tenant with its two audit logs and its feeds. Platform work. */
export async function createTenant(tx: Transaction, wanted: NewTenant): Promise<void> {
  const { id, slug, name, status = 'active', plan = 'standard', region = 'default', quotas = {}, now } = wanted;
  if (tx.tenantId !== id) throw new TypeError('the transaction must be set to the new tenant');
  await Promise.all([
    tx.run(insertTenant, {
      id,
      slug,
      name,
      status,
      sandboxEnabled: status === 'onboarding',
      plan,
      region,
      quotas,
      now,
    }),
    ...(['open', 'sealed'] as const).map((chain) =>
      tx.run(insertAuditHead, { id, chain, genesis: genesisHash(id, chain) }),
    ),
    tx.run(insertFeeds, { id }),
  ]);
}

/** State of the tenant that a request needs, loaded with its credential. */
export interface TenantState {
  readonly tenantId: string;
  readonly tenantStatus: TenantStatus;
  readonly sandboxEnabled: boolean;
  readonly sandboxClockOffsetSeconds: number;
  readonly tenantRatePerMinute: number | null;
}

export interface KeyRecord extends TenantState, KeyValidity, Grant {
  readonly id: string;
  readonly prefix: string;
  readonly name: string;
  readonly environment: 'live' | 'test';
  readonly scopes: readonly Scope[];
  readonly pinEnvironment: boolean;
  readonly ipAllowlist: readonly string[];
  readonly secretMac: Buffer;
  /** Client id of the key's line of rotations; `quotaClientId` is the one whose quota the key uses. */
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
  /** Whether the person has a second factor, which sign-ins then require. */
  readonly mfaEnrolled: boolean;
  /** Whether the tenant requires a second factor of everyone. */
  readonly mfaRequired: boolean;
}

const TENANT_COLUMNS = sql`
  t.id AS "tenantId", t.status AS "tenantStatus",
    ${tenant.as('t').select('sandboxEnabled', 'sandboxClockOffsetSeconds')},
  (t.quotas->>'ratePerMinute')::integer AS "tenantRatePerMinute"`;

/**
 * Returns SQL for the current role of a key's grantor. A locked person can return, and stays accountable for the key
 * meanwhile.
 */
export function roleOfGrantor(key: Fragment): Fragment {
  return sql`CASE WHEN ${key}.granted_by IS NULL THEN ${key}.granted_role ELSE (
    SELECT m.role FROM membership m JOIN user_account u ON u.id = m.user_id
    WHERE m.tenant_id = ${key}.tenant_id AND m.user_id = ${key}.granted_by AND m.status IN ('active', 'locked')
      AND u.status IN ('active', 'locked')) END`;
}

const keyColumns = apiKey
  .as('k')
  .select(
    'id',
    'prefix',
    'name',
    'environment',
    'scopes',
    'pinEnvironment',
    'ipAllowlist',
    'secretMac',
    'status',
    'endsAt',
    'clientId',
    'quotaClientId',
    'personalData',
    'grantedBy',
    'grantedRole',
  );

const keyByPrefix = statement<{ prefix: string }, KeyRecord>(
  'credentials.keyByPrefix',
  (p) => sql`
  SELECT ${TENANT_COLUMNS}, ${keyColumns}, ${roleOfGrantor(sql`k`)} AS "grantorRole"
  FROM api_key k JOIN tenant t ON t.id = k.tenant_id WHERE ${apiKey.as('k').equal({ prefix: p.prefix })}`,
);

const sessionById = statement<{ tenantId: string; sessionId: string }, SessionRecord>(
  'credentials.sessionById',
  (p) => sql`
  SELECT ${TENANT_COLUMNS}, s.id AS "sessionId", ${session.as('s').select('userId', 'mfa')}, coalesce(m.name, u.name)
    AS name, m.role,
    (s.ended_at IS NOT NULL OR s.absolute_expires_at <= now()) AS ended,
    (u.status = 'active' AND m.status = 'active') AS "userActive",
    (f.confirmed_at IS NOT NULL) AS "mfaEnrolled",
    -- Where the tenant has set nothing the platform's default holds: no second factor is demanded.
    coalesce((c.document#>>'{security,mfaRequired}')::boolean, false) AS "mfaRequired"
  FROM session s
    JOIN tenant t ON t.id = s.tenant_id
    JOIN membership m ON m.tenant_id = s.tenant_id AND m.user_id = s.user_id
    JOIN user_account u ON u.id = s.user_id
    LEFT JOIN user_totp f ON f.user_id = s.user_id
    LEFT JOIN tenant_settings c ON c.tenant_id = s.tenant_id
  WHERE ${session.as('s').equal({ tenantId: p.tenantId, id: p.sessionId })}`,
);

/** Look-ups before a tenant is known, under the platform's role. */
export class CredentialStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async key(prefix: string): Promise<KeyRecord | null> {
    const [row] = await this.#database.platform({ tenantId: null, readOnly: true }, (tx) =>
      tx.run(keyByPrefix, { prefix }),
    );
    return row ?? null;
  }

  async session(tenantId: string, sessionId: string): Promise<SessionRecord | null> {
    const [row] = await this.#database.platform({ tenantId: null, readOnly: true }, (tx) =>
      tx.run(sessionById, { tenantId, sessionId }),
    );
    return row ?? null;
  }
}
