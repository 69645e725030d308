import type { AnyPrincipal, PersonalData } from '../../contract/principal.ts';
import { knex, statement, type Transaction } from '../../database/index.ts';
import { Problem } from '../../http/problem.ts';
import { isWider } from './allowlist.ts';

/** When, from where and in which environments a key works, and how much of persons it is shown. */
export interface Bounds {
  readonly expiresAt: Date | null;
  readonly ipAllowlist: readonly string[];
  readonly environment: 'live' | 'test';
  readonly pinEnvironment: boolean;
  readonly personalData: PersonalData;
}

const find = statement<{ tenantId: string; prefix: string }, { endsAt: string | null; ipAllowlist: string[]; environment: 'live' | 'test'; pinEnvironment: boolean }>('apiKey.bounds', (p) =>
  knex('api_key').select('ends_at as endsAt', 'ip_allowlist as ipAllowlist', 'environment', 'pin_environment as pinEnvironment')
    .where({ tenant_id: p.tenantId, prefix: p.prefix }));

/** Those of the key that calls. The end of a rotation counts too, so that a superseded key leaves nothing behind. */
async function boundsOf(tx: Transaction, caller: Exclude<AnyPrincipal, { kind: 'user' }>): Promise<Bounds> {
  const [own] = await tx.run(find, { tenantId: caller.tenantId, prefix: caller.prefix });
  if (own === undefined) throw new Problem('not_found');
  return { ...own, expiresAt: own.endsAt === null ? null : new Date(own.endsAt), personalData: caller.personalData };
}

const WIDER: readonly (readonly [(own: Bounds, given: Bounds) => boolean, string])[] = [
  [(own, given) => endOf(given) > endOf(own), 'ends when that key ends, or before'],
  [(own, given) => isWider(own.ipAllowlist, given.ipAllowlist), 'works from addresses of that key only'],
  [(own, given) => own.environment !== given.environment && own.environment === 'test', 'stays in the sandbox as that key does'],
  [isUnpinned, 'never leaves live either'],
  [(own, given) => own.personalData === 'masked' && given.personalData === 'full', 'is shown personal data masked as that key is'],
];

/**
 * What bounds a key bounds what it gives away: whoever stole it would otherwise make a key that works for ever, from
 * everywhere, or sees more. People are bound by their session, but show nobody what they are not shown.
 */
export async function assertWithinOwn(tx: Transaction, caller: AnyPrincipal, given: Bounds): Promise<void> {
  if (caller.kind === 'user') {
    if (given.personalData === 'full' && caller.personalData === 'masked') throw new Problem('scope_escalation', { detail: 'The caller is shown personal data masked and cannot grant them in full.' });
    return;
  }
  const own = await boundsOf(tx, caller);
  const [, rule] = WIDER.find(([isWiderThan]) => isWiderThan(own, given)) ?? [];
  if (rule !== undefined) throw new Problem('self_widening_forbidden', { detail: `What a key makes or widens ${rule}.` });
}

/** People whom a key brings in or raises are not bound as it is, so that only a key without bounds changes people. */
export async function assertUnbound(tx: Transaction, caller: AnyPrincipal): Promise<void> {
  if (caller.kind === 'user') return;
  const own = await boundsOf(tx, caller);
  const bound = own.expiresAt !== null ? 'that ends' : own.ipAllowlist.length > 0 ? 'with an address list' : own.environment === 'test' ? 'of the sandbox'
    : own.pinEnvironment ? 'that is pinned to live' : own.personalData === 'masked' ? 'that is shown personal data masked' : null;
  if (bound !== null) throw new Problem('scope_escalation', { detail: `A key ${bound} does not change people, who would not be bound like it.` });
}

export function endOf({ expiresAt }: Pick<Bounds, 'expiresAt'>): number {
  return expiresAt?.getTime() ?? Number.POSITIVE_INFINITY;
}

export function isUnpinned(before: Pick<Bounds, 'pinEnvironment'>, after: Pick<Bounds, 'pinEnvironment'>): boolean {
  return before.pinEnvironment && !after.pinEnvironment;
}
