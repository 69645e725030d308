import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { SECOND_MILLISECONDS } from '../../base/time.ts';
import type { SecurityPolicy } from '../accounts/index.ts';

/**
 * Opaque, 256 bits. Only the SHA-256 is stored, which suffices for a value that cannot be guessed. The successor is
 * a keyed function of the token, so a repeated request within the retry window gets the same answer although nothing
 * readable is kept.
 */
const FORM = /^(rtb?_)[A-Za-z0-9_-]{43}$/;

/** Who keeps the token: a program, which sends it in a body, or a browser, in a cookie that no script can read. */
export type Keeper = 'program' | 'browser';

/** The beginning tells one from the other. It is hashed with the rest, so nobody can present a token in the other way. */
const PREFIXES: Readonly<Record<Keeper, string>> = { program: 'rt_', browser: 'rtb_' };

export function generateRefreshToken(keeper: Keeper): string {
  return `${PREFIXES[keeper]}${randomBytes(32).toString('base64url')}`;
}

export function isRefreshToken(text: string, keeper: Keeper): boolean {
  return FORM.exec(text)?.[1] === PREFIXES[keeper];
}

export function hashRefreshToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

export function successorOf(key: Buffer, token: string): string {
  return `${token.slice(0, token.indexOf('_') + 1)}${createHmac('sha256', key).update(token).digest('base64url')}`;
}

/**
 * What the pages of the service show beside the cookie. A browser sends a cookie whoever makes it ask, and a thief may have read it from a
 * disk; neither has this, because it is kept elsewhere. It follows from the session, so every tab has the same one for as long as that lives.
 */
export function csrfTokenOf(key: Buffer, sessionId: string): string {
  return `csrf_${createHmac('sha256', key).update(sessionId).digest('base64url')}`;
}

export function isCsrfTokenOf(key: Buffer, sessionId: string, shown: string | undefined): boolean {
  const [expected, given] = [Buffer.from(csrfTokenOf(key, sessionId)), Buffer.from(shown ?? '')];
  return expected.length === given.length && timingSafeEqual(expected, given);
}

/** A client that lost the answer may repeat the request for this long. */
const RETRY_WINDOW = 10 * SECOND_MILLISECONDS;

export function isRetry(usedAt: Date, now: Date): boolean {
  return now.getTime() - usedAt.getTime() <= RETRY_WINDOW;
}

/** How long a login lasts, without use and however much it is used. */
export type SessionLifetime = Pick<SecurityPolicy, 'idleSeconds' | 'absoluteSeconds'>;

/** A stored refresh token with what matters of its session. */
export interface StoredState {
  readonly expiresAt: Date;
  readonly usedAt: Date | null;
  /** Whether the successor was used in its turn, which proves that the client received it. */
  readonly successorUsed: boolean;
  readonly userAgentHash: Buffer;
  readonly sessionEndedAt: Date | null;
}

type RefreshVerdict = 'rotate' | 'repeat' | 'reused' | 'expired' | 'ended';

/** Decides what happens with a presented token (RFC 9700 §4.14.2: rotation, and revocation of the family at reuse). */
export function assessRefreshToken(token: StoredState, userAgentHash: Buffer, now: Date): RefreshVerdict {
  if (token.sessionEndedAt !== null) return 'ended';
  if (token.usedAt !== null) {
    return isRetry(token.usedAt, now) && !token.successorUsed && token.userAgentHash.equals(userAgentHash) ? 'repeat' : 'reused';
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
