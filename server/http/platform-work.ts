import type { Operation, OperationId } from '../contract/operation.ts';

/**
 * A person belongs to no tenant: an account, its password and its second factor are out of reach of the role that serves
 * tenants. Changes of them need the platform's role, in the tenant of the caller, so that they commit with their audit event.
 */
const ON_PERSONS: ReadonlySet<OperationId> = new Set(['inviteUser', 'revokeInvitation', 'updateUser', 'resetUserMfa']);

/**
 * They prove who somebody is. That takes passwords to verify, which is slow by design, so they open their own transactions
 * around it: a few of them would otherwise hold every connection that serves tenants while they wait for their turn.
 */
const ON_CREDENTIALS: ReadonlySet<OperationId> = new Set(['enrollTotp', 'confirmTotp', 'disableTotp', 'changePassword']);

/** Whether the handler decides itself when it needs a connection; it then writes its own audit events. */
export function opensOwnTransactions({ operationId, security }: Pick<Operation, 'operationId' | 'security'>): boolean {
  return security.length === 0 || ON_CREDENTIALS.has(operationId);
}

/** Whether the handler's transaction is of the platform's role: its statements then name the tenant whose rows they mean. */
export function isPlatformWork({ operationId, roles }: Pick<Operation, 'operationId' | 'roles'>): boolean {
  return ON_PERSONS.has(operationId) || (roles.length === 1 && roles[0] === 'platform_admin');
}
