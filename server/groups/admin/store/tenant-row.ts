import type { Knex } from 'knex';
import { knex, PLATFORM_TENANT_ID, sql, type Quotas } from '../../../database/index.ts';
import type { TenantStatus } from '../../../http/tenant-status.ts';
import type { Actor, TenantRecord } from '../tenant.ts';

export interface TenantRow {
  readonly id: string;
  readonly name: string;
  readonly slug: string;
  readonly status: TenantStatus;
  readonly status_reason: string | null;
  readonly status_note: string | null;
  readonly status_changed_at: string;
  readonly status_changed_by: Actor | null;
  readonly suspended_from: 'onboarding' | 'active' | null;
  readonly closure_requested_at: string | null;
  readonly closure_requested_by: string;
  readonly closure_requester: string;
  readonly closure_reason: string;
  readonly closure_note: string | null;
  readonly quotas: Partial<Quotas>;
  readonly region: string;
  readonly plan: string;
  readonly created_at: string;
  readonly updated_at: string;
  readonly go_live_at: string | null;
  readonly version: number;
}

/** All tenants but the platform's own, which nobody administers. */
export function tenants(): Knex.QueryBuilder {
  return knex('tenant as t').whereNot('t.id', PLATFORM_TENANT_ID).select(
    't.id', 't.name', 't.slug', 't.status', 't.status_reason', 't.status_note', 't.status_changed_at', 't.status_changed_by', 't.suspended_from',
    't.closure_requested_at', 't.closure_requested_by', 't.closure_reason', 't.closure_note',
    sql`(SELECT u.name FROM user_account u WHERE u.id = t.closure_requested_by) AS closure_requester`,
    't.quotas', 't.region', 't.plan', 't.created_at', 't.updated_at', 't.go_live_at', 't.version',
  );
}

export function toRecord(row: TenantRow): TenantRecord {
  return {
    id: row.id, name: row.name, slug: row.slug, status: row.status,
    // A tenant that went live by itself, or was never anything else, has no reason.
    statusReason: row.status_reason === null || row.status_changed_by === null ? null
      : { code: row.status_reason, note: row.status_note, by: row.status_changed_by, at: row.status_changed_at },
    suspendedFrom: row.suspended_from,
    closure: row.closure_requested_at === null ? null : {
      reasonCode: row.closure_reason, note: row.closure_note, requestedAt: row.closure_requested_at,
      requestedBy: { type: 'platform_user', id: row.closure_requested_by, display: row.closure_requester },
    },
    quotas: row.quotas, region: row.region, plan: row.plan,
    createdAt: row.created_at, updatedAt: row.updated_at, goLiveAt: row.go_live_at, version: row.version,
  };
}
