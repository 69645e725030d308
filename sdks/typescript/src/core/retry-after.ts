/**
 * Returns how long the server asks to wait, in milliseconds: `Retry-After`, or else the time until the exhausted quota
 * of `RateLimit` is reset. Used by the errors, and through them by retries.
 */
export function askedWait(status: number, headers: Headers): number | null {
  return retryAfter(headers) ?? (status === 429 || status === 503 ? quotaReset(headers) : null);
}

/**
 * Returns `Retry-After` in milliseconds: delay-seconds or an HTTP-date (RFC 9110 §10.2.3). Some servers and gateways
 * send decimals, such as 2.5.
 */
export function retryAfter(headers: Headers, now: number = Date.now()): number | null {
  const value = headers.get('retry-after')?.trim();
  if (!value) return null;
  if (/^\d+(\.\d+)?$/.test(value)) return Number(value) * 1000;
  const date = Date.parse(value);
  return Number.isNaN(date) ? null : Math.max(0, date - now);
}

/** Returns the longest `t` of the exhausted quotas: `"default";r=0;t=12` (draft-ietf-httpapi-ratelimit-headers-11). */
function quotaReset(headers: Headers): number | null {
  const spent = (headers.get('ratelimit') ?? '').split(',').filter((quota) => /;\s*r=0(?!\d)/.test(quota));
  const longest = Math.max(...spent.map((quota) => Number(/;\s*t=(\d+)/.exec(quota)?.[1])));
  // Without an exhausted quota the value is -Infinity, and NaN if a quota states no time.
  return longest >= 0 ? longest * 1000 : null;
}
