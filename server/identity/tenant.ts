/**
 * Status and quotas of a tenant, without input or output. Used by authentication and many modules. Changes of sandbox
 * records are refused while the sandbox is off.
 */
import type { Environment } from '../contract/operation.ts';
import { Problem } from '../contract/problem.ts';

export type TenantStatus = 'onboarding' | 'active' | 'suspended' | 'closed';

/** Statuses in which the people and machines of a tenant may use the service. */
export const OPEN_STATUSES: readonly TenantStatus[] = ['onboarding', 'active'];

export function isOpen(status: TenantStatus): boolean {
  return OPEN_STATUSES.includes(status);
}

export function assertTenantOpen(status: TenantStatus): void {
  if (!isOpen(status)) throw new Problem('tenant_suspended');
}

/** Remedy for `sandbox_disabled`. A test key cannot apply it, because the key is refused itself. */
export const HOW_TO_ENABLE =
  'Enable it on the page Sandbox of the dashboard, or with POST /v1/sandbox/enable and a live key of the scope admin.';

/** Rejects a change of sandbox records while the tenant's switch is off. */
export function assertEnvironmentWritable(
  environment: Environment,
  { sandboxEnabled }: { readonly sandboxEnabled: boolean },
): void {
  if (environment === 'sandbox' && !sandboxEnabled) throw new Problem('sandbox_disabled', { detail: HOW_TO_ENABLE });
}

/** Quotas of a tenant, as the column `tenant.quotas` stores them. */
export interface Quotas {
  readonly users: number;
  readonly applicationsPerMonth: number;
  readonly screeningsPerDay: number;
  readonly storageGb: number;
  readonly apiKeys: number;
  /** Total for all credentials. */
  readonly ratePerMinute: number;
}

/** Quotas of a tenant that is registered without explicit ones. */
export const STANDARD_QUOTAS: Quotas = {
  users: 50,
  applicationsPerMonth: 10_000,
  screeningsPerDay: 20_000,
  storageGb: 100,
  apiKeys: 100,
  ratePerMinute: 6_000,
};

/** Largest values that the contract allows. */
const UNBOUNDED: Quotas = {
  users: 100_000,
  applicationsPerMonth: 100_000_000,
  screeningsPerDay: 100_000_000,
  storageGb: 1_000_000,
  apiKeys: 10_000,
  ratePerMinute: 10_000_000,
};

/**
 * Returns the quotas of a tenant. Quotas that are not stored, as for tenants from before quotas existed, are unlimited.
 */
export function quotasOf(stored: Partial<Quotas>): Quotas {
  return { ...UNBOUNDED, ...stored };
}
