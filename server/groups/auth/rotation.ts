const SECOND = 1000;
const DAY = 86_400 * SECOND;

/** A client that lost the answer may repeat the request for this long. */
const RETRY_WINDOW = 10 * SECOND;
/** Without use a login ends after this long. */
const SLIDING = 14 * DAY;
/** Whatever its use, a login ends after this long. */
const ABSOLUTE = 30 * DAY;

/** A stored refresh token with what matters of its session. */
export interface PresentedToken {
  readonly expiresAt: Date;
  readonly usedAt: Date | null;
  /** Whether the successor was used in its turn, which proves that the client received it. */
  readonly successorUsed: boolean;
  readonly userAgentHash: Buffer;
  readonly sessionEndedAt: Date | null;
}

export type Verdict = 'rotate' | 'repeat' | 'reused' | 'expired' | 'ended';

/** What a presented token deserves (RFC 9700 §4.14.2: rotation, and revocation of the family at reuse). */
export function judge(token: PresentedToken, userAgentHash: Buffer, now: Date): Verdict {
  if (token.sessionEndedAt !== null) return 'ended';
  if (token.usedAt !== null) {
    const retry = now.getTime() - token.usedAt.getTime() <= RETRY_WINDOW
      && !token.successorUsed && token.userAgentHash.equals(userAgentHash);
    return retry ? 'repeat' : 'reused';
  }
  return now < token.expiresAt ? 'rotate' : 'expired';
}

export function absoluteEnd(signedInAt: Date): Date {
  return new Date(signedInAt.getTime() + ABSOLUTE);
}

/** When a token made now expires: 14 days, but never after the login itself. */
export function slidingEnd(now: Date, end: Date): Date {
  return new Date(Math.min(now.getTime() + SLIDING, end.getTime()));
}
