import { createHash, createHmac, randomBytes } from 'node:crypto';

/**
 * Opaque, 256 bits. Only the SHA-256 is stored, which suffices for a value that cannot be guessed. The successor is
 * a keyed function of the token, so a repeated request within the retry window gets the same answer although nothing
 * readable is kept.
 */
const FORM = /^rt_[A-Za-z0-9_-]{43}$/;

export function generateRefreshToken(): string {
  return `rt_${randomBytes(32).toString('base64url')}`;
}

export function isRefreshToken(text: string): boolean {
  return FORM.test(text);
}

export function hashRefreshToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

export function successorOf(key: Buffer, token: string): string {
  return `rt_${createHmac('sha256', key).update(token).digest('base64url')}`;
}
