/**
 * Tenants that have not gone live, and the steps that take them there. Used by tests of the checklist and of what a
 * tenant may do before it goes live.
 */
import type { components } from '../../server/contract/generated/client-types.ts';
import { success } from './api.ts';
import type { Credential, Tenant, TestService } from './service.ts';

/** Returns a tenant that has not gone live. */
export async function onboardingTenant(service: TestService): Promise<Tenant> {
  const tenant = await service.tenant();
  await service.database.sql(
    `UPDATE tenant SET status = 'onboarding', sandbox_enabled = true, sandbox_enabled_at = now() WHERE id = $1`,
    [tenant.id],
  );
  return tenant;
}

export async function setSection(
  service: TestService,
  as: Credential,
  changes: components['schemas']['TenantSettingsUpdate'],
): Promise<void> {
  const { headers } = await success(service.api.GET('/v1/settings', { headers: as }));
  await success(
    service.api.PATCH('/v1/settings', { headers: { ...as, 'If-Match': headers.get('etag') ?? '' }, body: changes }),
  );
}

export async function submitInSandbox(service: TestService, as: Credential): Promise<void> {
  await success(
    service.api.POST('/v1/applications', {
      headers: as,
      body: {
        purpose: 'account_opening',
        level: 'basic',
        submit: true,
        applicant: {
          fullName: 'Clara Limpa Santos',
          dateOfBirth: '1990-05-17',
          taxId: { type: 'cpf', value: '11111111111' },
        },
      },
    }),
  );
}

/** Completes exactly what going live requires, and returns the owner who may then go live. */
export async function completeChecklist(service: TestService, tenant: Tenant): Promise<Credential> {
  const owner = await tenant.user('owner', { secondFactor: true });
  const officer = await tenant.user('compliance_officer');
  await setSection(service, officer, { decisionPolicy: { validityByRisk: { high: 6 } } });
  await setSection(service, officer, { retention: { customerYears: 10 } });
  await submitInSandbox(service, await tenant.key(['write']));
  await success(service.api.POST('/v1/audit/verify', { headers: owner }));
  return owner;
}
