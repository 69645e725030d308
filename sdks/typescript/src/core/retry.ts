import { ApiError, ConnectionError, TimeoutError } from './errors.ts';

const BASE_MS = 500;
const CAP_MS = 8_000;
/** A longer `Retry-After` is the caller's decision: the error is thrown at once and carries the header. */
const LONGEST_WAIT_MS = 60_000;

/**
 * How long to wait before the next attempt, or null when the failure must reach the caller.
 * `repeatable`: sending the request twice has the effect of sending it once (RFC 9110 §9.2.2, or an Idempotency-Key).
 */
export function retryDelay(failure: unknown, retries: number, repeatable: boolean, random: () => number = Math.random): number | null {
  if (!isRetryable(failure, repeatable)) return null;
  const asked = failure instanceof ApiError ? retryAfter(failure.headers) : null;
  if (asked !== null) return asked <= LONGEST_WAIT_MS ? asked : null;
  return random() * Math.min(CAP_MS, BASE_MS * 2 ** retries);
}

function isRetryable(failure: unknown, repeatable: boolean): boolean {
  if (failure instanceof ConnectionError) return repeatable || failure.unreached;
  if (failure instanceof TimeoutError) return repeatable;
  if (!(failure instanceof ApiError)) return false;
  // The first call with the same key is still running; its stored answer will be replayed.
  if (failure.status === 409) return failure.code === 'idempotency_in_progress';
  // Refused before any work was done, so even a request that must not be repeated may be sent again.
  if (failure.status === 429) return true;
  return repeatable && (failure.status === 408 || failure.status >= 500);
}

/** `Retry-After` in milliseconds: delay-seconds or an HTTP-date (RFC 9110 §10.2.3). */
export function retryAfter(headers: Headers, now: number = Date.now()): number | null {
  const value = headers.get('retry-after')?.trim();
  if (!value) return null;
  if (/^\d+$/.test(value)) return Number(value) * 1000;
  const date = Date.parse(value);
  return Number.isNaN(date) ? null : Math.max(0, date - now);
}
