import type { components } from './generated/types.ts';
import type { AnyPrincipal } from './principal.ts';

/** Who did it, as resources and audit events show it: a person by id, a machine by the prefix of its key. Staff of the platform belong to no customer. */
export function actorOf(principal: AnyPrincipal): components['schemas']['Actor'] {
  const { display } = principal;
  if (principal.kind !== 'user') return { type: principal.kind, id: principal.prefix, display };
  return { type: principal.role === 'platform_admin' ? 'platform_user' : 'user', id: principal.userId, display };
}

/** The same in an audit event, where a machine is also named by the client that it stays through rotations. */
export function auditActorOf(principal: AnyPrincipal): components['schemas']['AuditActor'] {
  return { ...actorOf(principal), impersonatorId: null, ...(principal.kind !== 'user' && { clientId: principal.client }) };
}
