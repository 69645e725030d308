import type { components } from '../../contract/generated/types.ts';
import { knex, sql, statement } from '../../database/index.ts';

type Actor = components['schemas']['Actor'];
type TenantStatus = components['schemas']['TenantStatus'];
type Tenant = { tenantId: string };

interface SwitchRow {
  readonly status: TenantStatus;
  readonly sandbox_enabled: boolean;
  readonly sandbox_enabled_at: string | null;
  readonly sandbox_enabled_by: Actor | null;
  readonly sandbox_clock_offset_seconds: number;
}

const SWITCH = ['status', 'sandbox_enabled', 'sandbox_enabled_at', 'sandbox_enabled_by', 'sandbox_clock_offset_seconds'];

export const findSwitch = statement<Tenant, SwitchRow>('sandbox.switch', (p) =>
  knex('tenant').select(SWITCH).where({ id: p.tenantId }));

export const switchOn = statement<Tenant & { now: Date; actor: string }>('sandbox.switchOn', (p) =>
  knex('tenant').where({ id: p.tenantId, sandbox_enabled: false })
    .update({ sandbox_enabled: true, sandbox_enabled_at: p.now, sandbox_enabled_by: p.actor, sandbox_changed_at: p.now, updated_at: p.now }));

export const switchOff = statement<Tenant & { now: Date }>('sandbox.switchOff', (p) =>
  knex('tenant').where({ id: p.tenantId, sandbox_enabled: true })
    .update({ sandbox_enabled: false, sandbox_enabled_at: null, sandbox_enabled_by: null, sandbox_changed_at: p.now, updated_at: p.now }));

interface CountsRow {
  readonly applications: number;
  readonly documents: number;
  readonly events: number;
}

export const countRecords = statement<Tenant, CountsRow>('sandbox.counts', (p) => sql`
  SELECT
    (SELECT count(*) FROM application WHERE tenant_id = ${p.tenantId}::uuid AND environment = 'sandbox') AS applications,
    (SELECT count(*) FROM document WHERE tenant_id = ${p.tenantId}::uuid AND environment = 'sandbox') AS documents,
    (SELECT count(*) FROM fr_event WHERE tenant_id = ${p.tenantId}::uuid AND env = 'sandbox') AS events`);

/** Live keys without the pin that were used lately: what they create goes to the sandbox from now on. */
export const findDivertedKeys = statement<Tenant & { since: Date }, { prefix: string }>('sandbox.divertedKeys', (p) =>
  knex('api_key').select('prefix')
    .where({ tenant_id: p.tenantId, environment: 'live', pin_environment: false }).whereNot('status', 'revoked')
    .where(sql`last_used_at >= ${p.since}`).orderBy('prefix').limit(100));
