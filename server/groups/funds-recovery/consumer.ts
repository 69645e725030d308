import type { Principal } from '../../contract/handlers.ts';
import type { Environment } from '../../contract/principal.ts';
import type { Consumer } from './feed-cursor.ts';

/** Who reads: a client keeps its position when its key is rotated, by key and by token; a person has a position of their own. */
export function consumerOf({ principal, environment }: { readonly principal: Principal<'listFundsRecoveryEvents'>; readonly environment: Environment }): Consumer {
  return { tenantId: principal.tenantId, environment, id: `${principal.kind === 'user' ? 'user' : 'client'}:${principal.client}` };
}
