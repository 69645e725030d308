/** Sends URL-encoded forms. Used by the tree of operations. */
import { send, type Send } from './operation.ts';

/** Sends a URL-encoded form. */
export const form: Send = (transport, operation, input, reading) =>
  send(transport, operation, { ...input, encode: encoded }, reading);

function encoded(fields: object): Blob {
  const given = Object.entries(fields).filter(([, value]) => value !== undefined && value !== null);
  return new Blob([String(new URLSearchParams(given as [string, string][]))], {
    type: 'application/x-www-form-urlencoded',
  });
}
