import { Problem } from './problem.ts';

export type TenantStatus = 'onboarding' | 'active' | 'suspended' | 'closed';

/** Whether the tenant's people and machines may come in; there is one answer for all of them. */
export function isOpen(status: TenantStatus): boolean {
  return status === 'active' || status === 'onboarding';
}

export function assertTenantOpen(status: TenantStatus): void {
  if (!isOpen(status)) throw new Problem('tenant_suspended');
}
