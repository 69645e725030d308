import type { components } from '../../contract/generated/types.ts';
import { PLATFORM_TENANT_ID } from '../../database/index.ts';
import type { Membership, User } from './store/accounts.ts';

export type Member = Membership & { readonly user: User };

export function identityOf({ user, role, tenant }: Member): components['schemas']['UserIdentity'] {
  return { id: user.id, email: user.email, name: user.name, role, tenantId: tenant.id, mfaEnabled: user.mfaEnabled };
}

/** What events of operations say that have no principal yet. */
export function aboutUser({ id, name }: Pick<User, 'id' | 'name'>, tenantId: string) {
  const type = tenantId === PLATFORM_TENANT_ID ? 'platform_user' : 'user';
  return { actor: { type, id, display: name }, resource: { type: 'user', id }, environment: 'live' } as const;
}
