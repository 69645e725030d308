const SECOND = 1000;

/** A client that lost the answer may repeat the request for this long. */
const RETRY_WINDOW = 10 * SECOND;
/** How long logins last in a tenant. */
export interface Lifetime {
  /** Without use. */
  readonly idleSeconds: number;
  /** Whatever their use. */
  readonly absoluteSeconds: number;
}

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

export function absoluteEnd(signedInAt: Date, { absoluteSeconds }: Lifetime): Date {
  return new Date(signedInAt.getTime() + absoluteSeconds * SECOND);
}

/** When a token made now expires: once the login was idle for too long, but never after the login itself. */
export function slidingEnd(now: Date, idleSeconds: number, end: Date): Date {
  return new Date(Math.min(now.getTime() + idleSeconds * SECOND, end.getTime()));
}
