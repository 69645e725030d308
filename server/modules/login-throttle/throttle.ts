import { createHmac } from 'node:crypto';
import type { Config } from '../../base/config.ts';
import type { Secrets } from '../../base/secrets.ts';
import { Problem } from '../../contract/problem.ts';
import type { Transaction } from '../../database/index.ts';
import { ACCOUNT_LIMIT, afterFailure, type Failures, lockedFor } from './lockout.ts';
import { clearFailures, lockFailures, readFailures, saveFailures } from './store.ts';

export function waitFor(code: 'account_locked' | 'rate_limited', seconds: number): Problem {
  return new Problem(code, { retryable: true, retryAfter: seconds });
}

export interface ThrottleOptions {
  /** Keys the hashes under which addresses are stored, so that nobody reads them in the table. */
  readonly key: Buffer;
  readonly addressLimit: number;
}

/** From one address many people sign in: it may fail in 15 minutes as often as it may try in ten. */
const ADDRESS_LIMIT_MINUTES = 10;
/** Two sessions of a person may fail as often as they like without the others noticing. */
const PERSON_LIMIT = 2 * ACCOUNT_LIMIT;

export function throttleOptions(config: Config, secrets: Secrets): ThrottleOptions {
  return { key: secrets.deriveKey('login-throttle'), addressLimit: config.rateLimits.loginsPerAddress * ADDRESS_LIMIT_MINUTES };
}

/** The key under which the failures of an e-mail address are counted. */
export function accountKey(key: Buffer, email: string): string {
  return bucketKey(key, `email:${email}`);
}

export function bucketKey(key: Buffer, name: string): string {
  return createHmac('sha256', key).update(name).digest('base64url');
}

/** A lock that a failure caused. */
export interface AccountLock {
  readonly until: Date;
  /** Whether the owner is informed: only of the first of the locks that follow each other within a day. */
  readonly isNews: boolean;
}

/** What counts failures. */
export interface FailureCounter {
  /** The keyed hash that identifies the e-mail address in the audit log. */
  readonly account: string;
  /** Null when this failure locked nothing. */
  fail(tx: Transaction): Promise<AccountLock | null>;
}

/** One counter of failures and the limit at which it locks. */
interface FailureBucket {
  readonly name: string;
  readonly limit: number;
  /** How often until it is locked again. */
  readonly againAfter?: number;
  /** Milliseconds. */
  readonly longestLock?: number;
  /** False if failures are counted in this bucket but its lock does not refuse attempts of this throttle. */
  readonly blocks?: boolean;
}

/**
 * Counts failures of people who have an open session or a mailed link. Failures of strangers at the sign-in
 * (`sign-in-throttle.ts`) are counted separately, so that they cannot lock these people out.
 */
export class Throttle implements FailureCounter {
  readonly account: string;
  readonly #now: Date;
  readonly #buckets: readonly (FailureBucket & { readonly key: string })[];
  #before: readonly Failures[] = [];

  constructor(key: Buffer, email: string, buckets: readonly FailureBucket[], now: Date) {
    this.account = accountKey(key, email);
    this.#now = now;
    this.#buckets = buckets.map((bucket) => ({ ...bucket, key: bucketKey(key, bucket.name) }));
  }

  /** The refusal of an attempt that comes too early, before any work is done for it. */
  async refusal(tx: Transaction): Promise<Problem | null> {
    return this.#refusalOf(await Promise.all(this.#buckets.map(({ key }) => readFailures(tx, key))));
  }

  /**
   * Attempts are judged one after the other. Guesses that were made in parallel and come after the one that locked are
   * not even told whether they were right.
   */
  async enter(tx: Transaction): Promise<Problem | null> {
    const before: Failures[] = [];
    for (const { key } of this.#buckets) before.push(await lockFailures(tx, key, this.account, this.#now));
    this.#before = before;
    return this.#refusalOf(before);
  }

  /** After `enter`: everything was right. */
  async succeed(tx: Transaction): Promise<void> {
    for (const { key, blocks } of this.#buckets) if (blocks !== false) await clearFailures(tx, key);
  }

  /** After `enter`: something was wrong. */
  async fail(tx: Transaction): Promise<AccountLock | null> {
    const locks: (AccountLock | null)[] = [];
    for (const [index, { key, limit, againAfter = limit, longestLock }] of this.#buckets.entries()) {
      const before = this.#before[index] ?? null;
      if (lockedFor(before, this.#now) !== null) continue;
      const after = afterFailure(before, this.#now, before !== null && before.locks > 0 ? againAfter : limit, longestLock);
      await saveFailures(tx, key, after);
      locks.push(lockOf(after));
    }
    return locks.find((lock) => lock !== null) ?? null;
  }

  #refusalOf(buckets: readonly (Failures | null)[]): Problem | null {
    const wait = Math.max(...buckets.map((failures, index) => (this.#buckets[index]?.blocks === false ? null : lockedFor(failures, this.#now)) ?? 0));
    return wait > 0 ? waitFor('account_locked', wait) : null;
  }
}

/** Of a password or a code that is shown at an open session, by the session and by its person in all sessions together. */
export function sessionThrottle({ key }: ThrottleOptions, { email, userId, sessionId }: { email: string; userId: string; sessionId: string }, now: Date): Throttle {
  return new Throttle(key, email, [{ name: `session:${sessionId}`, limit: ACCOUNT_LIMIT }, { name: `person:${userId}`, limit: PERSON_LIMIT }], now);
}

/** Of a second factor that is shown with a link to reset the password, which strangers do not have. */
export function resetThrottle({ key }: ThrottleOptions, email: string, now: Date): Throttle {
  return new Throttle(key, email, [{ name: `reset:${email}`, limit: ACCOUNT_LIMIT }], now);
}

/** Of a password that is shown with an invitation. Whoever read the link guesses it here or at the sign-in, not twice as often. */
export function invitationThrottle({ key }: ThrottleOptions, email: string, now: Date): Throttle {
  return new Throttle(key, email, [{ name: `invitation:${email}`, limit: ACCOUNT_LIMIT }, { name: `email:${email}`, limit: ACCOUNT_LIMIT, blocks: false }], now);
}

export function lockOf({ lockedUntil, locks }: Failures): AccountLock | null {
  return lockedUntil === null ? null : { until: lockedUntil, isNews: locks === 1 };
}
