/**
 * This file holds the time limits of the directory and derives its identifiers from names, so that the same journal
 * always gives the same identifiers. Used by all files of the simulator.
 */
import { hash } from 'node:crypto';

/** A time on a tenant's sandbox clock, in milliseconds since 1970. */
export type Instant = number;

export const second = 1000;
export const minute = 60 * second;
export const hour = 60 * minute;
export const day = 24 * hour;

/**
 * Time limit of each stage, in calendar time: no holiday and no weekend moves a limit of the special return mechanism
 * (Manual Operacional do DICT §20.4).
 */
export const limits = {
  tracking: 30 * minute,
  analysis: 7 * day,
  refundStart: 72 * hour,
  refund: 24 * hour,
} as const;

/** Time between a limit and the expiry policy, so that the expiry itself can be observed first. */
export const grace = minute;

/** Period for which the directory lists notifications (DICT API, listEventNotifications). */
export const notificationWindow = 7 * day;

/** Formats a time in UTC with milliseconds, as the directory does. */
export function iso(at: Instant): string {
  return new Date(at).toISOString();
}

/** An amount in cents. The directory writes amounts as decimals with two places. */
export type Cents = number;

export function cents(amount: string): Cents {
  if (!/^\d{1,12}\.\d{2}$/.test(amount))
    throw new RangeError('An amount has up to twelve digits and two decimal places');
  return Number(amount.replace('.', ''));
}

export function decimal(amount: Cents): string {
  const digits = String(amount).padStart(3, '0');
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

/** Smallest root payment that the directory traces by default (DICT API, TrackingGraphParameters). */
export const leastRootAmount = '200.00';

/** Returns a part of an amount, rounded up, so that the parts together cover the whole amount. */
export function partOf(amount: Cents, perMille: number): Cents {
  return Number((BigInt(amount) * BigInt(perMille) + 999n) / 1000n);
}

/** Namespace of the UUIDs. Changing it would change the id of every simulated record. */
const namespace = Buffer.from('5c0f6d1e9a4b4f0f8a1b6d2e7c3f9a10', 'hex');

/** Returns the UUID version 5 (RFC 9562 §5.5) of names, so that the same journal always has the same ids. */
export function uuidOf(...names: readonly string[]): string {
  const hex = hash('sha1', Buffer.concat([namespace, Buffer.from(names.join('|'))]), 'hex');
  const variant = ((Number.parseInt(hex.slice(16, 18), 16) & 0x3f) | 0x80).toString(16);
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `5${hex.slice(13, 16)}`,
    `${variant}${hex.slice(18, 20)}`,
    hex.slice(20, 32),
  ].join('-');
}

/** The ISPB (participant number) of a tenant in its sandbox. */
export function sandboxIspb(tenantId: string): string {
  return ispbsOf(tenantId).own;
}

/** Returns the ISPBs of a tenant's fictitious counterparties, which no other tenant has. */
export function fictitiousIspbs(tenantId: string): readonly [string, string, string] {
  return ispbsOf(tenantId).others;
}

interface Ispbs {
  readonly tenantId: string;
  readonly own: string;
  readonly others: readonly [string, string, string];
}

/** Cache of the last result, because folding a journal needs the same tenant thousands of times. */
let latestIspbs: Ispbs | null = null;

function ispbsOf(tenantId: string): Ispbs {
  if (latestIspbs?.tenantId === tenantId) return latestIspbs;
  const other = (number: number): string => `8${alphanumeric(7, `${tenantId}|${number}`)}`;
  return (latestIspbs = { tenantId, own: `9${alphanumeric(7, tenantId)}`, others: [other(1), other(2), other(3)] });
}

/** Returns the id of a payment (`E`) or of its return (`D`): the participant, the minute and eleven characters. */
export function transactionId(kind: 'E' | 'D', ispb: string, at: Instant, seed: string): string {
  return `${kind}${ispb}${new Date(at).toISOString().replaceAll(/\D/g, '').slice(0, 12)}${alphanumeric(11, seed)}`;
}

/** Returns the id of a notification: an integer that increases with time and does not depend on other recoveries. */
export function notificationId(at: Instant, seed: string): string {
  return String(BigInt(at) * 1_000_000n + (BigInt(`0x${hash('sha256', seed, 'hex').slice(0, 16)}`) % 1_000_000n));
}

/** Returns digits derived from the seed, for numbers of accounts and persons that do not exist. */
export function digits(length: number, seed: string): string {
  return String(BigInt(`0x${hash('sha256', seed, 'hex')}`) % 10n ** BigInt(length)).padStart(length, '0');
}

/**
 * Returns the last digits of the seed's hash in base 36. Only these are computed, because a full journal needs ten
 * thousand ids.
 */
function alphanumeric(length: number, seed: string): string {
  const number = BigInt(`0x${hash('sha256', seed, 'hex')}`) % 36n ** BigInt(length);
  return number.toString(36).toUpperCase().padStart(length, '0');
}
