import { BlockList, isIPv6 } from 'node:net';

/** Whether an address lies in one of the networks; an empty list allows every address. */
export function isAllowed(address: string, networks: readonly string[]): boolean {
  if (networks.length === 0) return true;
  const list = new BlockList();
  for (const network of networks) {
    const [base = '', length = ''] = network.split('/');
    list.addSubnet(base, Number(length), isIPv6(base) ? 'ipv6' : 'ipv4');
  }
  return list.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');
}
