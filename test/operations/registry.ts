/** Calls of the operations on registries of companies, and the records that they need. */
import { uuidv7 } from '../../server/base/uuid.ts';
import type { Tenant, TestService } from '../support/service.ts';
import { newBusiness } from './business-records.ts';
import type { Calls } from './call.ts';

/** Creates a tenant whose sandbox is on, with a business in it, because only the sandbox has a registry. */
export async function newSandboxBusiness(
  service: TestService,
): Promise<{ readonly tenant: Tenant; readonly businessId: string }> {
  const tenant = await service.tenant();
  await service.database.sql('UPDATE tenant SET sandbox_enabled = true WHERE id = $1', [tenant.id]);
  const businessId = await newBusiness(service, tenant, await tenant.key(['kyb'], { environment: 'test' }));
  return { tenant, businessId };
}

/** Inserts an open difference of a business, whose texts nobody reads. */
export async function newDifference(service: TestService, tenant: Tenant, businessId: string): Promise<string> {
  const id = uuidv7();
  await service.database.sql(
    `INSERT INTO registry_difference
        (tenant_id, id, environment, business_id, field, severity, content_hash, created_at)
      SELECT tenant_id, $2::uuid, environment, id, 'legal_form', 'low', ($2::uuid)::text, now() FROM business
      WHERE tenant_id = $1 AND id = $3`,
    [tenant.id, id, businessId],
  );
  return id;
}

export const registryCalls: Calls<'getBusinessRegistry' | 'fetchBusinessRegistry' | 'resolveRegistryDifference'> = {
  getBusinessRegistry: {},
  fetchBusinessRegistry: {
    arrange: async (service) => {
      const { tenant, businessId } = await newSandboxBusiness(service);
      return { tenant, params: { businessId } };
    },
  },
  resolveRegistryDifference: {
    body: () => ({ resolution: 'declared_right', note: 'The amendment is not registered yet.' }),
    otherBody: () => ({ resolution: 'explained', note: 'Both are right:\nthe name was changed.' }),
  },
};
