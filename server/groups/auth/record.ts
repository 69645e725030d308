import type { OperationId, Table } from '../../contract/operation.ts';
import { appendAudit, withinTenant, type AuditEvent, type Transaction } from '../../database/index.ts';
import { aboutUser } from './identity.ts';
import type { Account } from './store/accounts.ts';

/** Where a request of a public operation comes from. */
export interface Origin {
  readonly requestId: string;
  readonly clientIp: string;
  readonly userAgent: string;
  readonly now: Date;
}

type PublicEvent<K extends OperationId> = Pick<AuditEvent, 'resource' | 'outcome' | 'reason' | 'environment' | 'changes'> & {
  readonly action: Table[K]['auditEvents'][number];
  readonly actor: Omit<AuditEvent['actor'], 'impersonatorId'>;
};

/** Writes into a tenant's chain what a caller did who had no credential when the request came. */
export function record<K extends OperationId>(
  tx: Transaction, tenantId: string, { requestId, clientIp, userAgent, now }: Origin, { actor, ...event }: PublicEvent<K>,
): void {
  appendAudit(withinTenant(tx, tenantId), {
    ...event, actor: { ...actor, impersonatorId: null }, occurredAt: now.toISOString(), requestId, ip: clientIp, userAgent,
  });
}

/** Into the chains of all tenants that the person works for: a password and a second factor are theirs in each of them. */
export function recordOfPerson<K extends OperationId>(
  tx: Transaction, { user, memberships }: Pick<Account, 'user' | 'memberships'>, origin: Origin, action: Table[K]['auditEvents'][number],
): void {
  for (const { tenant: { id } } of memberships) record<K>(tx, id, origin, { ...aboutUser(user, id), action, outcome: 'success' });
}
