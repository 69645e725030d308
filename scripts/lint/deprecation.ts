import type { Operation } from '../generate/contract.ts';

/** The least time between the announcement of a deprecation and the sunset: the twelve months that the contract promises. */
export const NOTICE_DAYS = 365;

const DATE = /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/;

export function isDate(text: unknown): text is string {
  return typeof text === 'string' && DATE.test(text) && !Number.isNaN(Date.parse(text));
}

export function daysBetween(from: string, to: string): number {
  return (Date.parse(to) - Date.parse(from)) / 86_400_000;
}

/** Announced with a date, and with enough notice. */
export function isAnnounced({ deprecated, 'x-deprecated-since': since, 'x-sunset': sunset }: Partial<Operation>): boolean {
  return deprecated === true && isDate(since) && isDate(sunset) && daysBetween(since, sunset) >= NOTICE_DAYS;
}
