/**
 * This file defines the record of a tenant, its form in the contract, and how an action of the platform's staff is
 * recorded in its audit chain. Used by the other files of this module.
 */
import type { RealTime } from '../../base/time.ts';
import type { Uuid } from '../../base/uuid.ts';
import { appendAudit } from '../../audit/chain.ts';
import type { AuditEvent } from '../../audit/store.ts';
import type { AuditAction } from '../../contract/generated/audit-actions.ts';
import type { components } from '../../contract/generated/types.ts';
import { actorOf, type UserPrincipal } from '../../contract/operation.ts';
import { type Transaction, withinTenant } from '../../database/index.ts';
import { type Quotas, quotasOf, type TenantStatus } from '../../identity/tenant.ts';

export type WireTenant = components['schemas']['Tenant'];
export type Usage = components['schemas']['TenantUsage'];
export type Actor = components['schemas']['Actor'];

export interface TenantRecord {
  readonly id: Uuid;
  readonly name: string;
  readonly slug: string;
  readonly status: TenantStatus;
  readonly statusReason: WireTenant['statusReason'];
  /** Status to which lifting the suspension returns. */
  readonly suspendedFrom: 'onboarding' | 'active' | null;
  readonly closure: WireTenant['closure'];
  /** Agreed quotas. A missing quota means no limit. */
  readonly quotas: Partial<Quotas>;
  readonly region: string;
  readonly plan: string;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly goLiveAt: string | null;
  readonly version: number;
}

export function tenantToWire({ suspendedFrom: _, quotas, ...tenant }: TenantRecord, usage: Usage): WireTenant {
  return { ...tenant, quotas: quotasOf(quotas), usage };
}

export function pathOfTenant(tenantId: string): string {
  return `/v1/admin/tenants/${tenantId}`;
}

interface StaffContext {
  readonly tx: Transaction;
  readonly principal: UserPrincipal;
  readonly now: RealTime;
  readonly requestId: string;
  readonly clientIp: string;
  readonly userAgent: string;
}

type Values = Readonly<Record<string, string | number | null | { readonly [member: string]: number }>>;

/** What staff did to which resource, with the values that the audit log shows. */
interface StaffAction<A extends AuditAction> {
  readonly action: A;
  readonly resource: AuditEvent<A>['resource'];
  readonly values: Values;
}

/**
 * Records an action of the platform's staff in the audit chain of the tenant too, so that the tenant sees it without
 * asking.
 */
export function recordForTenant<A extends AuditAction>(
  { tx, principal, now, requestId, clientIp, userAgent }: StaffContext,
  tenantId: string,
  { action, resource, values }: StaffAction<A>,
): void {
  const changes: NonNullable<AuditEvent['changes']> = Object.entries(values).map(([name, value]) => ({
    op: 'add',
    path: `/${name}`,
    value,
  }));
  appendAudit(withinTenant(tx, tenantId), {
    occurredAt: now.toISOString(),
    environment: 'live',
    actor: { ...actorOf(principal), impersonatorId: null },
    action,
    resource,
    outcome: 'success',
    requestId,
    ip: clientIp,
    userAgent,
    changes,
  });
}

export function tenantResource(tenantId: string) {
  return { type: 'tenant', id: tenantId } as const;
}
