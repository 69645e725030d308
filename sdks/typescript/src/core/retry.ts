import { ApiError, ConnectionError, InvalidResponseError, TimeoutError } from './errors.ts';

const BASE_MS = 500;
const CAP_MS = 8_000;
/** A longer wait is the caller's decision: the error is thrown at once and tells how long was asked for. */
const LONGEST_WAIT_MS = 60_000;

/**
 * How long to wait before the next attempt, or null when the failure must reach the caller.
 * `repeatable`: sending the request twice has the effect of sending it once (RFC 9110 §9.2.2, or an Idempotency-Key).
 */
export function retryDelay(failure: unknown, retries: number, repeatable: boolean, random: () => number = Math.random): number | null {
  if (!isRetryable(failure, repeatable)) return null;
  const asked = failure instanceof ApiError ? failure.retryAfter : null;
  if (asked !== null) return asked <= LONGEST_WAIT_MS ? asked : null;
  return random() * Math.min(CAP_MS, BASE_MS * 2 ** retries);
}

function isRetryable(failure: unknown, repeatable: boolean): boolean {
  if (failure instanceof ConnectionError) return repeatable || failure.unreached;
  if (failure instanceof TimeoutError || failure instanceof InvalidResponseError) return repeatable;
  // A conflict, a request that came too early and one too many are refused before any work is done, so even a request
  // that must not be repeated may be sent again.
  return failure instanceof ApiError && failure.retryable && (repeatable || [409, 425, 429].includes(failure.status));
}
