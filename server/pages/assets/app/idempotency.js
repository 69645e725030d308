/**
 * Idempotency keys for one form: the same content sent again is the same request, changed content is another. So a
 * second click after a lost answer neither creates a second key nor is refused.
 * @returns {(content: unknown) => string}
 */
export function idempotencyKeys() {
  let [last, key] = ['', ''];
  return (content) => {
    const now = JSON.stringify(content ?? null);
    if (now !== last) [last, key] = [now, randomKey()];
    return key;
  };
}

/** `crypto.randomUUID` exists on secure origins only; this page also works over plain HTTP in a closed network. */
export function randomKey() {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
