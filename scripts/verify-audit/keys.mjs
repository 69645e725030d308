/** Keys that sign checkpoints and packs (Ed25519). */
import { createPublicKey, verify } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { sha256 } from './event.mjs';
import { readStrictly, UsageError } from './i-json.mjs';

export const keyOf = (x) => createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });

/** Returns the RFC 7638 thumbprint: a key is identified by its value, not by a name that anyone could give it. */
const keyIdOf = (key) =>
  sha256(`{"crv":"Ed25519","kty":"OKP","x":"${key.export({ format: 'jwk' }).x}"}`).toString('base64url');

export const byKeyId = (keys) => new Map(keys.map((key) => [keyIdOf(key), key]));

/**
 * Checks a signature. It must be base64 in canonical form, because another form of the same bytes would be another
 * file.
 */
export function isSigned(bytes, signature, key) {
  const signed = Buffer.from(String(signature), 'base64');
  return (
    key !== undefined &&
    signed.length === 64 &&
    signed.toString('base64') === signature &&
    verify(null, bytes, key, signed)
  );
}

export function readKeys(source) {
  if (/^[\w-]{43}$/.test(source)) return [keyOf(source)];
  const bytes = readFileSync(source);
  const keys = bytes.includes('-----BEGIN')
    ? [createPublicKey(bytes)]
    : [readStrictly(bytes, source)].flatMap((found) => found.keys ?? found).map(({ x }) => keyOf(x));
  if (keys.some((key) => key.asymmetricKeyType !== 'ed25519')) throw new UsageError(`${source} is not an Ed25519 key`);
  return keys;
}
