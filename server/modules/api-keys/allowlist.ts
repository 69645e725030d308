/**
 * The address allowlist of an API key: parsing networks and comparing lists. Called when keys are created and changed;
 * the layer identity checks the addresses of requests. Rejects invalid networks (`invalid_cidr`) and a list by which a
 * key would lock itself out. Must never accept a network that can match no address, because its owner would believe it
 * works.
 */
import { Problem } from '../../contract/problem.ts';
import { bytesOf, isAllowed } from '../../identity/client-address.ts';

/** A network in CIDR notation (RFC 4632, RFC 4291 §2.3). */
export interface Network {
  readonly address: Uint8Array;
  readonly length: number;
}

/**
 * Parses a network. Returns null if the text is not a network, has host bits set, or is an IPv4-mapped IPv6 network
 * (RFC 4291 §2.5.5.2), which would never match because client addresses are compared as IPv4.
 */
export function parseNetwork(text: string): Network | null {
  const slash = text.indexOf('/');
  const address = bytesOf(text.slice(0, slash));
  const suffix = text.slice(slash + 1);
  if (slash === -1 || address === null || !/^(0|[1-9]\d{0,2})$/.test(suffix)) return null;
  const length = Number(suffix);
  return length <= address.length * 8 && !hasHostBits(address, length) && !isMapped(address)
    ? { address, length }
    : null;
}

/** Returns whether every address of `inner` is in `outer`. */
export function contains(outer: Network, inner: Network): boolean {
  return (
    outer.address.length === inner.address.length &&
    outer.length <= inner.length &&
    outer.address.every((byte, at) => byte === ((inner.address[at] ?? 0) & maskOf(at, outer.length)))
  );
}

function hasHostBits(address: Uint8Array, length: number): boolean {
  return address.some((byte, at) => (byte & ~maskOf(at, length) & 0xff) !== 0);
}

function isMapped(address: Uint8Array): boolean {
  return (
    address.length === 16 &&
    address.subarray(0, 10).every((byte) => byte === 0) &&
    address[10] === 0xff &&
    address[11] === 0xff
  );
}

/** Returns the byte of the network mask at a position. */
function maskOf(at: number, length: number): number {
  const bits = Math.min(8, Math.max(0, length - at * 8));
  return (0xff << (8 - bits)) & 0xff;
}

export function assertNetworks(allowlist: readonly string[]): void {
  const errors = allowlist.flatMap((text, at) => {
    if (parseNetwork(text) !== null) return [];
    const message = 'must be a network in CIDR notation without host bits';
    return [{ pointer: `/ipAllowlist/${at}`, code: 'invalid_cidr', message }];
  });
  if (errors.length > 0) throw new Problem('invalid_cidr', { errors });
}

/** Rejects an allowlist that excludes the caller's address. Applies if a key changes its own list without `force`. */
export function assertAdmitsCaller(allowlist: readonly string[], clientIp: string): void {
  if (!isAllowed(clientIp, allowlist)) {
    throw new Problem('allowlist_locks_out_caller', {
      errors: [
        { pointer: '/ipAllowlist', code: 'locks_out_caller', message: 'must contain the address of the caller' },
      ],
    });
  }
}

/** Returns whether `next` allows an address that `current` refuses. */
export function isWider(current: readonly string[], next: readonly string[]): boolean {
  if (current.length === 0) return false;
  if (next.length === 0) return true;
  const outer = networksOf(current);
  return networksOf(next).some((network) => !outer.some((candidate) => contains(candidate, network)));
}

function networksOf(allowlist: readonly string[]): Network[] {
  return allowlist.map(parseNetwork).filter((network) => network !== null);
}
