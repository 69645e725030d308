import type { components } from '../../contract/generated/types.ts';
import { lockUntilCommit } from '../../database/advisory-lock.ts';
import { knex, sql, statement, type Transaction } from '../../database/index.ts';

type Tenant = { tenantId: string };
type Key = Tenant & { step: string };

export interface StepRow {
  readonly step_key: string;
  readonly completed_at: string | null;
  readonly regressed_at: string | null;
  readonly dismissed_at: string | null;
  readonly dismissed_by: components['schemas']['Actor'] | null;
  readonly dismissed_reason: string | null;
}

export interface TenantRow {
  readonly id: string;
  readonly slug: string;
  readonly name: string;
  readonly status: components['schemas']['TenantStatus'];
  readonly go_live_at: string | null;
}

export const findRows = statement<Tenant, StepRow>('onboarding.rows', (p) =>
  knex('onboarding_step').select('step_key', 'completed_at', 'regressed_at', 'dismissed_at', 'dismissed_by', 'dismissed_reason').where({ tenant_id: p.tenantId }));

const tenantColumns = ['id', 'slug', 'name', 'status', 'go_live_at'];

export const findTenant = statement<Tenant, TenantRow>('onboarding.tenant', (p) => knex('tenant').select(tenantColumns).where({ id: p.tenantId }));

export const lockTenant = statement<Tenant, TenantRow>('onboarding.lockTenant', (p) =>
  knex('tenant').select(tenantColumns).where({ id: p.tenantId }).forUpdate());

/** Those who see a change wait for one another, so that each is recorded once. */
export const lockSteps = (tx: Transaction, tenantId: string): Promise<unknown> => lockUntilCommit(tx, 'onboarding', tenantId);

/** `completed_at` is the first time. */
export const complete = statement<Key & { now: Date }>('onboarding.complete', (p) => sql`
  INSERT INTO onboarding_step AS known (tenant_id, step_key, completed_at) VALUES (${p.tenantId}::uuid, ${p.step}, ${p.now}::timestamptz)
  ON CONFLICT (tenant_id, step_key) DO UPDATE SET completed_at = coalesce(known.completed_at, excluded.completed_at), regressed_at = NULL`, { expectRows: 1 });

export const regress = statement<Key & { now: Date }>('onboarding.regress', (p) =>
  knex('onboarding_step').where({ tenant_id: p.tenantId, step_key: p.step }).update({ regressed_at: p.now }), { expectRows: 1 });

export const dismiss = statement<Key & { now: Date; by: string; reason: string }>('onboarding.dismiss', (p) => sql`
  INSERT INTO onboarding_step AS known (tenant_id, step_key, dismissed_at, dismissed_by, dismissed_reason) VALUES (${p.tenantId}::uuid, ${p.step}, ${p.now}::timestamptz, ${p.by}::jsonb, ${p.reason})
  ON CONFLICT (tenant_id, step_key) DO UPDATE SET
    dismissed_at = excluded.dismissed_at, dismissed_by = excluded.dismissed_by, dismissed_reason = excluded.dismissed_reason
  WHERE known.dismissed_at IS NULL`);

export const restore = statement<Key>('onboarding.restore', (p) =>
  knex('onboarding_step').where({ tenant_id: p.tenantId, step_key: p.step }).whereNotNull('dismissed_at')
    .update({ dismissed_at: null, dismissed_by: null, dismissed_reason: null }));

/** The trigger on the table lets a tenant change its own status in this way only. */
export const goLive = statement<Tenant & { now: Date }>('onboarding.goLive', (p) =>
  knex('tenant').where({ id: p.tenantId, status: 'onboarding' }).update({
    status: 'active', status_changed_at: p.now, go_live_at: p.now, updated_at: p.now,
    sandbox_enabled: false, sandbox_enabled_at: null, sandbox_enabled_by: null, sandbox_changed_at: p.now,
  }), { expectRows: 1 });
