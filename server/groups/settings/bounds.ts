import type { AnyPrincipal } from '../../contract/principal.ts';
import { statement, type Transaction } from '../../database/index.ts';
import { Problem } from '../../http/problem.ts';
import { isWider } from './allowlist.ts';

/** When and from where a key works. */
export interface Bounds {
  readonly expiresAt: Date | null;
  readonly ipAllowlist: readonly string[];
}

const find = statement<{ tenantId: string; prefix: string }, { endsAt: string | null; ipAllowlist: string[] }>('apiKey.bounds', (knex, p) =>
  knex('api_key').select('ends_at as endsAt', 'ip_allowlist as ipAllowlist').where({ tenant_id: p.tenantId, prefix: p.prefix }));

/**
 * What bounds a key bounds what it gives away: whoever stole it would otherwise make a key that works for ever and from
 * everywhere. The end of a rotation counts too, so that a superseded key leaves none behind. People are bound by their
 * session.
 */
export async function assertWithinOwn(tx: Transaction, caller: AnyPrincipal, given: Bounds): Promise<void> {
  if (caller.kind === 'user') return;
  const [own] = await tx.run(find, { tenantId: caller.tenantId, prefix: caller.prefix });
  if (own === undefined) throw new Problem('not_found');
  if (endOf(given) > endOf({ expiresAt: own.endsAt === null ? null : new Date(own.endsAt) })) {
    throw new Problem('self_widening_forbidden', { detail: 'What a key makes or widens ends when that key ends, or before.' });
  }
  if (isWider(own.ipAllowlist, given.ipAllowlist)) {
    throw new Problem('self_widening_forbidden', { detail: 'What a key makes or widens works from addresses of that key only.' });
  }
}

export function endOf({ expiresAt }: Pick<Bounds, 'expiresAt'>): number {
  return expiresAt?.getTime() ?? Number.POSITIVE_INFINITY;
}
