import { BlockList, isIPv6 } from 'node:net';

type Family = 'ipv4' | 'ipv6';

/** Node takes an IPv4 address for one of IPv6 too, so that `::/0` would let it in: each family has a list of its own. */
type Lists = Readonly<Record<Family, BlockList>>;

/** Lists that were compiled before; a remembered key brings the same networks with every request. */
const compiled = new WeakMap<readonly string[], Lists>();

/** Whether an address lies in one of the networks; an empty list allows every address. */
export function isAllowed(address: string, networks: readonly string[]): boolean {
  const family = familyOf(address);
  return networks.length === 0 || listsOf(networks)[family].check(address, family);
}

function listsOf(networks: readonly string[]): Lists {
  const known = compiled.get(networks);
  if (known !== undefined) return known;
  const lists = { ipv4: new BlockList(), ipv6: new BlockList() };
  for (const network of networks) {
    const [base = '', length = ''] = network.split('/');
    const family = familyOf(base);
    lists[family].addSubnet(base, Number(length), family);
  }
  compiled.set(networks, lists);
  return lists;
}

function familyOf(address: string): Family {
  return isIPv6(address) ? 'ipv6' : 'ipv4';
}
