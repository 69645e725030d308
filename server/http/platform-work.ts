import type { Operation, OperationId } from '../contract/operation.ts';

/**
 * A person belongs to no tenant: an account, its password and its second factor are out of reach of the role that serves
 * tenants. Changes of them need the platform's role, in the tenant of the caller, so that they commit with their audit event.
 */
const ON_PERSONS: ReadonlySet<OperationId> = new Set(['inviteUser', 'revokeInvitation', 'updateUser', 'resetUserMfa']);

/** Whether the handler's transaction is of the platform's role: its statements then name the tenant whose rows they mean. */
export function isPlatformWork({ operationId, roles }: Pick<Operation, 'operationId' | 'roles'>): boolean {
  return ON_PERSONS.has(operationId) || (roles.length === 1 && roles[0] === 'platform_admin');
}
