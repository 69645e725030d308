/**
 * Creates and hashes tokens that are mailed and work once. Used by invitations and passwords. Only the hash may be
 * stored.
 */
import { createHash, randomBytes } from 'node:crypto';

/**
 * A secret that is mailed and works once. It has 256 bits and cannot be guessed, so a plain SHA-256 is the only value
 * that is stored.
 */
interface OneTimeToken {
  readonly token: string;
  readonly hash: Buffer;
}

export function generateToken(kind: 'iv' | 'pr'): OneTimeToken {
  const token = `${kind}_${randomBytes(32).toString('base64url')}`;
  return { token, hash: hashToken(token) };
}

export function hashToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
