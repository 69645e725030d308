/**
 * The address of the client, behind trusted proxies, and comparing it with networks. Used by authentication, quotas and
 * allowlists. Trusting one proxy too many lets clients choose their address.
 */
import { BlockList, isIP, isIPv4, isIPv6 } from 'node:net';

/**
 * Returns the 4 or 16 bytes of an address, or null for other text and for an address with a zone, which has a meaning
 * only on its host.
 */
export function bytesOf(ip: string): Uint8Array | null {
  if (isIPv4(ip)) return Uint8Array.from(ip.split('.'), Number);
  if (!isIPv6(ip) || ip.includes('%')) return null;
  const [head = '', tail] = ip.split('::');
  const left = groupsOf(head);
  const right = groupsOf(tail ?? '');
  const groups = [...left, ...new Array<number>(8 - left.length - right.length).fill(0), ...right];
  return Uint8Array.from(groups.flatMap((group) => [group >> 8, group & 0xff]));
}

/** Returns the 16-bit groups of one side of `::`; the last may be written as IPv4. */
function groupsOf(side: string): number[] {
  if (side === '') return [];
  return side.split(':').flatMap((group) => {
    if (!group.includes('.')) return [Number.parseInt(group, 16)];
    const [a = 0, b = 0, c = 0, d = 0] = group.split('.').map(Number);
    return [(a << 8) | b, (c << 8) | d];
  });
}

/**
 * Returns the address of the client. With n trusted proxies, the outermost trusted proxy wrote the n-th entry of
 * `X-Forwarded-For` from the right; the client could invent everything left of it.
 */
export function clientIpOf(
  socketAddress: string | undefined,
  forwardedFor: string | undefined,
  trustedHops: number,
): string {
  const direct = unmapped(socketAddress ?? '');
  if (trustedHops === 0 || forwardedFor === undefined) return direct;
  const entry = unmapped(forwardedFor.split(',').at(-trustedHops)?.trim() ?? '');
  return isIP(entry) === 0 ? direct : entry;
}

/**
 * Returns the unit by which addresses are counted. A site with IPv6 has at least 2^64 addresses (RFC 6177 §2) and could
 * use another one for each request, so all addresses of a /64 network count as one.
 */
export function siteOf(address: string): string {
  if (!address.includes(':')) return address;
  const bytes = bytesOf(address);
  return bytes?.length === 16 ? `${Buffer.from(bytes.subarray(0, 8)).toString('hex')}::/64` : address;
}

/** Returns an IPv4-mapped IPv6 address (RFC 4291 §2.5.5.2) as IPv4. */
function unmapped(address: string): string {
  return address.startsWith('::ffff:') && address.includes('.') ? address.slice('::ffff:'.length) : address;
}

type Family = 'ipv4' | 'ipv6';

/**
 * Lists by address family. They are separate because Node compares IPv4 addresses with IPv6 networks too, and `::/0`
 * would allow them.
 */
type Lists = Readonly<Record<Family, BlockList>>;

/** Compiled lists by array of networks: a cached key has the same array in every request. */
const compiled = new WeakMap<readonly string[], Lists>();

/** Tells whether an address lies in one of the networks; an empty list allows every address. */
export function isAllowed(address: string, networks: readonly string[]): boolean {
  const family = familyOf(address);
  return networks.length === 0 || listsOf(networks)[family].check(address, family);
}

function listsOf(networks: readonly string[]): Lists {
  const cached = compiled.get(networks);
  if (cached !== undefined) return cached;
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
