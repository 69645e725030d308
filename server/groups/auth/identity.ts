import type { components } from '../../contract/generated/types.ts';
import type { Membership, User } from './store/accounts.ts';

export type Member = Membership & { readonly user: User };

export function identityOf({ user, role, tenant }: Member): components['schemas']['UserIdentity'] {
  // No second factor can be enrolled yet.
  return { id: user.id, email: user.email, name: user.name, role, tenantId: tenant.id, mfaEnabled: false };
}

/** What events of operations say that have no principal yet. */
export function aboutUser({ id, name }: Pick<User, 'id' | 'name'>) {
  return { actor: { type: 'user', id, display: name }, resource: { type: 'user', id }, environment: 'live' } as const;
}
