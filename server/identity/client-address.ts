import { BlockList, isIP, isIPv4, isIPv6 } from 'node:net';

/** The 4 or 16 bytes of an address; null for other text, and for an address with a zone, which only means something on its host. */
export function bytesOf(ip: string): Uint8Array | null {
  if (isIPv4(ip)) return Uint8Array.from(ip.split('.'), Number);
  if (!isIPv6(ip) || ip.includes('%')) return null;
  const [head = '', tail] = ip.split('::');
  const left = groupsOf(head);
  const right = groupsOf(tail ?? '');
  const groups = [...left, ...new Array<number>(8 - left.length - right.length).fill(0), ...right];
  return Uint8Array.from(groups.flatMap((group) => [group >> 8, group & 0xff]));
}

/** The 16-bit groups of one side of `::`; the last may be written as IPv4. */
function groupsOf(side: string): number[] {
  if (side === '') return [];
  return side.split(':').flatMap((group) => {
    if (!group.includes('.')) return [Number.parseInt(group, 16)];
    const [a = 0, b = 0, c = 0, d = 0] = group.split('.').map(Number);
    return [(a << 8) | b, (c << 8) | d];
  });
}

/**
 * The address of the client. With n trusted proxies, the n-th entry of `X-Forwarded-For` from the right is the one that
 * the outermost trusted proxy wrote; everything left of it could be invented by the client.
 */
export function clientIpOf(socketAddress: string | undefined, forwardedFor: string | undefined, trustedHops: number): string {
  const direct = plain(socketAddress ?? '');
  if (trustedHops === 0 || forwardedFor === undefined) return direct;
  const entry = plain(forwardedFor.split(',').at(-trustedHops)?.trim() ?? '');
  return isIP(entry) === 0 ? direct : entry;
}

/**
 * Whom an address counts for: a site with IPv6 has 2^64 of them at least (RFC 6177 §2), and would get as many quotas by
 * taking another for each request.
 */
export function siteOf(address: string): string {
  const bytes = bytesOf(address);
  return bytes?.length === 16 ? `${Buffer.from(bytes.subarray(0, 8)).toString('hex')}::/64` : address;
}

/** IPv4 that arrives in IPv6 clothing (RFC 4291 §2.5.5.2) is IPv4. */
function plain(address: string): string {
  return address.startsWith('::ffff:') && address.includes('.') ? address.slice('::ffff:'.length) : address;
}

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
