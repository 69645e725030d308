import { isIP } from 'node:net';
import { bytesOf } from './ip-bytes.ts';

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
