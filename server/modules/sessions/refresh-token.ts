/**
 * Rules of refresh tokens, without input or output except randomness: form, successor, proof of a browser, and the
 * verdict about a presented token. Used by the other files of this module. A wrong verdict either lets a thief continue
 * or signs honest users out.
 */
import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { type RealTime, SECOND_MILLISECONDS } from '../../base/time.ts';
import type { SecurityPolicy } from '../accounts/index.ts';

/**
 * Form of a refresh token: opaque, 256 bits. Only the SHA-256 is stored, which suffices for a value that cannot be
 * guessed. The successor is a keyed function of the token, so a repeated request within the retry window gets the same
 * answer although nothing readable is stored.
 */
const FORM = /^(rtb?_)[A-Za-z0-9_-]{43}$/;

/**
 * Kind of client that stores the token: a program, which sends the token in a body, or a browser, which sends the token
 * in a cookie that no script can read.
 */
export type ClientKind = 'program' | 'browser';

/**
 * Prefixes that distinguish the clients. The prefix is hashed with the rest, so a token cannot be presented in the
 * other way.
 */
const PREFIXES: Readonly<Record<ClientKind, string>> = { program: 'rt_', browser: 'rtb_' };

export function generateRefreshToken(clientKind: ClientKind): string {
  return `${PREFIXES[clientKind]}${randomBytes(32).toString('base64url')}`;
}

export function isRefreshToken(text: string, clientKind: ClientKind): boolean {
  return FORM.exec(text)?.[1] === PREFIXES[clientKind];
}

export function hashRefreshToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

export function successorOf(key: Buffer, token: string): string {
  return `${token.slice(0, token.indexOf('_') + 1)}${createHmac('sha256', key).update(token).digest('base64url')}`;
}

/**
 * Returns the proof that the pages of the service present beside the cookie. A browser sends a cookie with every
 * request, whichever site causes it, and a thief may have read the cookie from a disk; neither has the proof, because
 * it is stored elsewhere. The proof follows from the session, so every tab has the same one for the lifetime of the
 * session.
 */
export function csrfTokenOf(key: Buffer, sessionId: string): string {
  return `csrf_${createHmac('sha256', key).update(sessionId).digest('base64url')}`;
}

export function isCsrfTokenOf(key: Buffer, sessionId: string, shown: string | undefined): boolean {
  const [expected, given] = [Buffer.from(csrfTokenOf(key, sessionId)), Buffer.from(shown ?? '')];
  return expected.length === given.length && timingSafeEqual(expected, given);
}

/** How long a client that lost the response may repeat the request. */
const RETRY_WINDOW = 10 * SECOND_MILLISECONDS;

export function isRetry(usedAt: Date, now: RealTime): boolean {
  return now.getTime() - usedAt.getTime() <= RETRY_WINDOW;
}

/** Lifetime of a session without use, and in total. */
export type SessionLifetime = Pick<SecurityPolicy, 'idleSeconds' | 'absoluteSeconds'>;

/** Stored refresh token with the relevant state of its session. */
export interface StoredState {
  readonly expiresAt: Date;
  readonly usedAt: Date | null;
  /** Whether the successor was used itself, which proves that the client received it. */
  readonly successorUsed: boolean;
  readonly userAgentHash: Buffer;
  readonly sessionEndedAt: Date | null;
}

type RefreshVerdict = 'rotate' | 'repeat' | 'reused' | 'expired' | 'ended';

/** Decides about a presented token (RFC 9700 §4.14.2: rotation, and revocation of the family at reuse). */
export function assessRefreshToken(token: StoredState, userAgentHash: Buffer, now: RealTime): RefreshVerdict {
  if (token.sessionEndedAt !== null) return 'ended';
  if (token.usedAt !== null) {
    return isRetry(token.usedAt, now) && !token.successorUsed && token.userAgentHash.equals(userAgentHash)
      ? 'repeat'
      : 'reused';
  }
  return now < token.expiresAt ? 'rotate' : 'expired';
}

export function absoluteEnd(signedInAt: Date, { absoluteSeconds }: SessionLifetime): Date {
  return new Date(signedInAt.getTime() + absoluteSeconds * SECOND_MILLISECONDS);
}

/** Returns when a token issued now expires: after the idle time of the session, but never after its end. */
export function slidingEnd(now: RealTime, idleSeconds: number, end: Date): Date {
  return new Date(Math.min(now.getTime() + idleSeconds * SECOND_MILLISECONDS, end.getTime()));
}
