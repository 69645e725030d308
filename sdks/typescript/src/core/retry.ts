/**
 * Whether and when a failed attempt is repeated. Used by the transport. Only requests whose repetition has no second
 * effect may be repeated.
 */
import { ApiError, ConnectionError, InvalidResponseError, TimeoutError } from './errors.ts';

const BASE_MS = 500;
const CAP_MS = 8_000;
/**
 * Longest wait. If the server asks for a longer one, the error is thrown at once and states the requested time, so that
 * the caller decides.
 */
const LONGEST_WAIT_MS = 60_000;

/**
 * Returns how long to wait before the next attempt, or null if the failure must be thrown. `repeatable`: sending the
 * request twice has the effect of sending it once (RFC 9110 §9.2.2, or an Idempotency-Key).
 */
export function retryDelay(
  failure: unknown,
  retries: number,
  repeatable: boolean,
  random: () => number = Math.random,
): number | null {
  if (!isRetryable(failure, repeatable)) return null;
  const asked = failure instanceof ApiError ? failure.retryAfter : null;
  if (asked !== null) return asked <= LONGEST_WAIT_MS ? asked : null;
  return random() * Math.min(CAP_MS, BASE_MS * 2 ** retries);
}

function isRetryable(failure: unknown, repeatable: boolean): boolean {
  if (failure instanceof ConnectionError) return repeatable || failure.unreached;
  if (failure instanceof TimeoutError || failure instanceof InvalidResponseError) return repeatable;
  // A conflict, a request that came too early and a request over the quota are refused before any work is done, so even
  // a request that is not repeatable may be sent again.
  return failure instanceof ApiError && failure.retryable && (repeatable || [409, 425, 429].includes(failure.status));
}
