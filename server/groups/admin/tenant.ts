import type { components } from '../../contract/generated/types.ts';
import { quotasOf, type Quotas } from '../../database/index.ts';
import type { TenantStatus } from '../../http/tenant-status.ts';

export type WireTenant = components['schemas']['Tenant'];
export type Usage = components['schemas']['TenantUsage'];
export type Actor = components['schemas']['Actor'];

export interface TenantRecord {
  readonly id: string;
  readonly name: string;
  readonly slug: string;
  readonly status: TenantStatus;
  readonly statusReason: WireTenant['statusReason'];
  /** What lifting the suspension leads back to. */
  readonly suspendedFrom: 'onboarding' | 'active' | null;
  readonly closure: WireTenant['closure'];
  /** As they were agreed; what is not named is not bounded. */
  readonly quotas: Partial<Quotas>;
  readonly region: string;
  readonly plan: string;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly goLiveAt: string | null;
  readonly version: number;
}

export function toWire({ suspendedFrom: _, quotas, ...tenant }: TenantRecord, usage: Usage): WireTenant {
  return { ...tenant, quotas: quotasOf(quotas), usage };
}

export function pathOf(tenantId: string): string {
  return `/v1/admin/tenants/${tenantId}`;
}
