import type { components } from './generated/types.ts';
import type { AnyPrincipal } from './principal.ts';

/** Who did it, as resources and audit events show it: a person by id, a machine by the prefix of its key. */
export function actorOf(principal: AnyPrincipal): components['schemas']['Actor'] {
  return { type: principal.kind, id: principal.kind === 'user' ? principal.userId : principal.prefix, display: principal.display };
}
