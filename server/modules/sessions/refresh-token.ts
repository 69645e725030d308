import { createHash, createHmac, randomBytes } from 'node:crypto';
import { SECOND_MILLISECONDS } from '../../base/time.ts';
import type { SecurityPolicy } from '../accounts/index.ts';

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

/** A client that lost the answer may repeat the request for this long. */
const RETRY_WINDOW = 10 * SECOND_MILLISECONDS;

/** How long a login lasts, without use and however much it is used. */
export type SessionLifetime = Pick<SecurityPolicy, 'idleSeconds' | 'absoluteSeconds'>;

/** A stored refresh token with what matters of its session. */
export interface PresentedToken {
  readonly expiresAt: Date;
  readonly usedAt: Date | null;
  /** Whether the successor was used in its turn, which proves that the client received it. */
  readonly successorUsed: boolean;
  readonly userAgentHash: Buffer;
  readonly sessionEndedAt: Date | null;
}

type RefreshVerdict = 'rotate' | 'repeat' | 'reused' | 'expired' | 'ended';

/** Decides what happens with a presented token (RFC 9700 §4.14.2: rotation, and revocation of the family at reuse). */
export function assessRefreshToken(token: PresentedToken, userAgentHash: Buffer, now: Date): RefreshVerdict {
  if (token.sessionEndedAt !== null) return 'ended';
  if (token.usedAt !== null) {
    const retry = now.getTime() - token.usedAt.getTime() <= RETRY_WINDOW
      && !token.successorUsed && token.userAgentHash.equals(userAgentHash);
    return retry ? 'repeat' : 'reused';
  }
  return now < token.expiresAt ? 'rotate' : 'expired';
}

export function absoluteEnd(signedInAt: Date, { absoluteSeconds }: SessionLifetime): Date {
  return new Date(signedInAt.getTime() + absoluteSeconds * SECOND_MILLISECONDS);
}

/** When a token made now expires: once the login was idle for too long, but never after the login itself. */
export function slidingEnd(now: Date, idleSeconds: number, end: Date): Date {
  return new Date(Math.min(now.getTime() + idleSeconds * SECOND_MILLISECONDS, end.getTime()));
}
