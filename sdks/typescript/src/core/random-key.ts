/** Random keys for idempotency and multipart boundaries. Used by the transport and uploads. */

/** Returns 128 random bits. `crypto.randomUUID` is missing on pages that were not served over TLS. */
export function randomKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
