import { actorOf } from '../../contract/actor.ts';
import type { UserPrincipal } from '../../contract/principal.ts';
import { appendAudit, withinTenant, type AuditEvent, type Transaction } from '../../database/index.ts';

interface Doing {
  readonly tx: Transaction;
  readonly principal: UserPrincipal;
  readonly now: Date;
  readonly requestId: string;
  readonly clientIp: string;
  readonly userAgent: string;
}

type Values = Readonly<Record<string, string | number | null | { readonly [member: string]: number }>>;

/** Writes what staff of the platform did to a tenant into its own chain too: the tenant must not have to ask. */
export function tellTenant({ tx, principal, now, requestId, clientIp, userAgent }: Doing, tenantId: string, action: string, values: Values, resource = about(tenantId)): void {
  const changes: NonNullable<AuditEvent['changes']> = Object.entries(values).map(([name, value]) => ({ op: 'add', path: `/${name}`, value }));
  appendAudit(withinTenant(tx, tenantId), {
    occurredAt: now.toISOString(), environment: 'live', actor: { ...actorOf(principal), impersonatorId: null }, action, resource, outcome: 'success',
    requestId, ip: clientIp, userAgent, changes,
  });
}

export function about(tenantId: string): { type: string; id: string } {
  return { type: 'tenant', id: tenantId };
}
