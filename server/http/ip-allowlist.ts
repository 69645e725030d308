import { BlockList, isIPv6 } from 'node:net';

/** Lists that were compiled before; a remembered key brings the same list with every request. */
const compiled = new WeakMap<readonly string[], BlockList>();

/** Whether an address lies in one of the networks; an empty list allows every address. */
export function isAllowed(address: string, networks: readonly string[]): boolean {
  return networks.length === 0 || listOf(networks).check(address, isIPv6(address) ? 'ipv6' : 'ipv4');
}

function listOf(networks: readonly string[]): BlockList {
  const known = compiled.get(networks);
  if (known !== undefined) return known;
  const list = new BlockList();
  for (const network of networks) {
    const [base = '', length = ''] = network.split('/');
    list.addSubnet(base, Number(length), isIPv6(base) ? 'ipv6' : 'ipv4');
  }
  compiled.set(networks, list);
  return list;
}
