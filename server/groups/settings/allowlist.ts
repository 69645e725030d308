import { isAllowed } from '../../http/ip-allowlist.ts';
import { Problem } from '../../http/problem.ts';
import { contains, parseNetwork, type Network } from './network.ts';

export function assertNetworks(allowlist: readonly string[]): void {
  const errors = allowlist.flatMap((text, at) => parseNetwork(text) !== null ? [] : [{
    pointer: `/ipAllowlist/${at}`, code: 'invalid_cidr', message: 'must be a network in CIDR notation without host bits',
  }]);
  if (errors.length > 0) throw new Problem('invalid_cidr', { errors });
}

/** A caller that changes its own key must still get in afterwards, unless it says that it knows better. */
export function assertLetsIn(allowlist: readonly string[], clientIp: string): void {
  if (!isAllowed(clientIp, allowlist)) {
    throw new Problem('allowlist_locks_out_caller', {
      errors: [{ pointer: '/ipAllowlist', code: 'locks_out_caller', message: 'must contain the address of the caller' }],
    });
  }
}

/** Whether `next` lets in an address that `current` keeps out. */
export function isWider(current: readonly string[], next: readonly string[]): boolean {
  if (current.length === 0) return false;
  if (next.length === 0) return true;
  const outer = networksOf(current);
  return networksOf(next).some((network) => !outer.some((candidate) => contains(candidate, network)));
}

function networksOf(allowlist: readonly string[]): Network[] {
  return allowlist.map(parseNetwork).filter((network) => network !== null);
}
