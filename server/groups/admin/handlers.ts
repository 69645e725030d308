import type { HandlersOf } from '../../contract/handlers.ts';
import type { Services } from '../../services.ts';

function pending(): never {
  throw new Error('being written');
}

export const admin = (_services: Services) => ({
  listTenants: pending,
  createTenant: pending,
  getTenant: pending,
  updateTenant: pending,
  replaceTenantStatus: pending,
} satisfies HandlersOf<'admin'>);
