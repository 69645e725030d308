import { hash } from 'node:crypto';
import type { Instant } from './time.ts';

/** Changing it would give every record of every journal another id. */
const namespace = Buffer.from('5c0f6d1e9a4b4f0f8a1b6d2e7c3f9a10', 'hex');

/** UUID version 5 (RFC 9562 §5.5) of names within this simulator: whoever folds a journal gets the same ids. */
export function uuidOf(...names: readonly string[]): string {
  const hex = hash('sha1', Buffer.concat([namespace, Buffer.from(names.join('|'))]), 'hex');
  const variant = ((Number.parseInt(hex.slice(16, 18), 16) & 0x3f) | 0x80).toString(16);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-5${hex.slice(13, 16)}-${variant}${hex.slice(18, 20)}-${hex.slice(20, 32)}`;
}

/** The participant that a tenant is in its sandbox. */
export function sandboxIspb(tenantId: string): string {
  return ispbsOf(tenantId).own;
}

/** Its fictitious counterparties, who exist for this tenant only. */
export function fictitiousIspbs(tenantId: string): readonly [string, string, string] {
  return ispbsOf(tenantId).others;
}

interface Ispbs {
  readonly tenantId: string;
  readonly own: string;
  readonly others: readonly [string, string, string];
}

/** A fold asks for those of its tenant thousands of times in a row. */
let latest: Ispbs | null = null;

function ispbsOf(tenantId: string): Ispbs {
  if (latest?.tenantId === tenantId) return latest;
  const other = (number: number): string => `8${alphanumeric(7, `${tenantId}|${number}`)}`;
  return latest = { tenantId, own: `9${alphanumeric(7, tenantId)}`, others: [other(1), other(2), other(3)] };
}

/** `E` for a payment, `D` for its return; participant, minute and eleven characters. */
export function transactionId(kind: 'E' | 'D', ispb: string, at: Instant, seed: string): string {
  return `${kind}${ispb}${new Date(at).toISOString().replaceAll(/\D/g, '').slice(0, 12)}${alphanumeric(11, seed)}`;
}

/** An integer of the directory: rising with time, and the same whatever other recoveries there are. */
export function notificationId(at: Instant, seed: string): string {
  return String(BigInt(at) * 1_000_000n + BigInt(`0x${hash('sha256', seed, 'hex').slice(0, 16)}`) % 1_000_000n);
}

/** The last digits of the seed's hash in base 36; a full journal needs ten thousand of them, so no others are computed. */
function alphanumeric(length: number, seed: string): string {
  const number = BigInt(`0x${hash('sha256', seed, 'hex')}`) % 36n ** BigInt(length);
  return number.toString(36).toUpperCase().padStart(length, '0');
}
