import { createHash } from 'node:crypto';
import type { Instant } from './time.ts';

/** Changing it would give every record of every journal another id. */
const namespace = Buffer.from('5c0f6d1e9a4b4f0f8a1b6d2e7c3f9a10', 'hex');

/** UUID version 5 (RFC 9562 §5.5) of names within this simulator: whoever folds a journal gets the same ids. */
export function uuidOf(...names: readonly string[]): string {
  const hash = createHash('sha1').update(namespace).update(names.join('|')).digest().subarray(0, 16);
  hash.writeUInt8((hash.readUInt8(6) & 0x0f) | 0x50, 6);
  hash.writeUInt8((hash.readUInt8(8) & 0x3f) | 0x80, 8);
  const hex = hash.toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

/** The participant that a tenant is in its sandbox. */
export function sandboxIspb(tenantId: string): string {
  return `9${alphanumeric(7, tenantId)}`;
}

/** Its fictitious counterparties, who exist for this tenant only. */
export function fictitiousIspbs(tenantId: string): readonly [string, string, string] {
  const ispb = (number: number): string => `8${alphanumeric(7, `${tenantId}|${number}`)}`;
  return [ispb(1), ispb(2), ispb(3)];
}

/** `E` for a payment, `D` for its return; participant, minute and eleven characters. */
export function transactionId(kind: 'E' | 'D', ispb: string, at: Instant, seed: string): string {
  return `${kind}${ispb}${new Date(at).toISOString().replaceAll(/\D/g, '').slice(0, 12)}${alphanumeric(11, seed)}`;
}

/** An integer of the directory: rising with time, and the same whatever other recoveries there are. */
export function notificationId(at: Instant, seed: string): string {
  return String(BigInt(at) * 1_000_000n + createHash('sha256').update(seed).digest().readBigUInt64BE() % 1_000_000n);
}

function alphanumeric(length: number, seed: string): string {
  const number = BigInt(`0x${createHash('sha256').update(seed).digest('hex')}`);
  return number.toString(36).toUpperCase().padStart(50, '0').slice(-length);
}
