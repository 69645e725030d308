/**
 * Keys that make a repeated request harmless. Used by forms and buttons whose action must not happen twice. A new key
 * for the same content could create it twice.
 */
import { useRef } from 'react';

/**
 * Returns keys for one form: the same content sent again is the same request, changed content is another. So a second
 * click after a lost answer neither repeats an action nor is refused.
 */
export function useIdempotencyKey(): (content: unknown) => string {
  const last = useRef({ content: '', key: '' });
  return (content) => {
    const now = JSON.stringify(content ?? null);
    if (now !== last.current.content) last.current = { content: now, key: randomKey() };
    return last.current.key;
  };
}

/**
 * Replaces `crypto.randomUUID`, which exists on secure origins only; the dashboard also works over plain HTTP in a
 * closed network.
 */
function randomKey(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
