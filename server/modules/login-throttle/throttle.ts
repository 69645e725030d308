/**
 * Failure counters in general, and the throttle of people with an open session or a mailed link. Used by
 * confirm-password.ts, the sign-in throttle and, through the index, by modules that verify codes. Order for callers:
 * `refusal` before the slow work, then `enter`, then `succeed` or `fail` in one transaction.
 */
import type { RealTime } from '../../base/time.ts';
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
  /** Key of the hashes under which addresses are stored, so that the table does not reveal addresses. */
  readonly key: Buffer;
  readonly addressLimit: number;
}

/**
 * Minutes whose permitted attempts are the limit of failures of an address in 15 minutes, because many people sign in
 * from one address.
 */
const ADDRESS_LIMIT_MINUTES = 10;
/** Number of failures of a person, over all sessions, that lock: as many as two sessions have when both are locked. */
const PERSON_LIMIT = 2 * ACCOUNT_LIMIT;

export function throttleOptions(config: Config, secrets: Secrets): ThrottleOptions {
  return {
    key: secrets.deriveKey('login-throttle'),
    addressLimit: config.rateLimits.loginsPerAddress * ADDRESS_LIMIT_MINUTES,
  };
}

/** Returns the key under which the failures of an e-mail address are counted. */
export function accountKey(key: Buffer, email: string): string {
  return bucketKey(key, `email:${email}`);
}

export function bucketKey(key: Buffer, name: string): string {
  return createHmac('sha256', key).update(name).digest('base64url');
}

/** A lock that a failure caused. */
export interface AccountLock {
  readonly until: Date;
  /** Whether the owner is informed: only of the first of several locks within a day. */
  readonly isNews: boolean;
}

/** A counter of failures. */
export interface FailureCounter {
  /** The keyed hash that identifies the e-mail address in the audit log. */
  readonly account: string;
  /** Counts a failure. Returns the lock that it caused, or null. */
  fail(tx: Transaction): Promise<AccountLock | null>;
}

/** One counter of failures and the limit at which it locks. */
interface FailureBucket {
  readonly name: string;
  readonly limit: number;
  /** Number of failures for a repeated lock; `limit` by default. */
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
  readonly #now: RealTime;
  readonly #buckets: readonly (FailureBucket & { readonly key: string })[];
  #before: readonly Failures[] = [];

  constructor(key: Buffer, email: string, buckets: readonly FailureBucket[], now: RealTime) {
    this.account = accountKey(key, email);
    this.#now = now;
    this.#buckets = buckets.map((bucket) => ({ ...bucket, key: bucketKey(key, bucket.name) }));
  }

  /** Returns the refusal of an attempt during a lock, before any work is done for the attempt. */
  async refusal(tx: Transaction): Promise<Problem | null> {
    return this.#refusalOf(await Promise.all(this.#buckets.map(({ key }) => readFailures(tx, key))));
  }

  /**
   * Locks the counters, so that attempts are judged one after another. Parallel guesses after the one that locked do
   * not learn whether they are right.
   */
  async enter(tx: Transaction): Promise<Problem | null> {
    const before: Failures[] = [];
    for (const { key } of this.#buckets) before.push(await lockFailures(tx, key, this.account, this.#now));
    this.#before = before;
    return this.#refusalOf(before);
  }

  /** Clears the counters after a successful attempt. Must follow `enter`. */
  async succeed(tx: Transaction): Promise<void> {
    for (const { key, blocks } of this.#buckets) if (blocks !== false) await clearFailures(tx, key);
  }

  /** Counts a failed attempt. Must follow `enter`. */
  async fail(tx: Transaction): Promise<AccountLock | null> {
    const locks: (AccountLock | null)[] = [];
    for (const [index, { key, limit, againAfter = limit, longestLock }] of this.#buckets.entries()) {
      const before = this.#before[index] ?? null;
      if (lockedFor(before, this.#now) !== null) continue;
      const after = afterFailure(
        before,
        this.#now,
        before !== null && before.locks > 0 ? againAfter : limit,
        longestLock,
      );
      await saveFailures(tx, key, after);
      locks.push(lockOf(after));
    }
    return locks.find((lock) => lock !== null) ?? null;
  }

  #refusalOf(buckets: readonly (Failures | null)[]): Problem | null {
    const wait = Math.max(
      ...buckets.map(
        (failures, index) => (this.#buckets[index]?.blocks === false ? null : lockedFor(failures, this.#now)) ?? 0,
      ),
    );
    return wait > 0 ? waitFor('account_locked', wait) : null;
  }
}

/** Throttles passwords and codes in an open session, by session and by person over all sessions. */
export function sessionThrottle(
  { key }: ThrottleOptions,
  { email, userId, sessionId }: { email: string; userId: string; sessionId: string },
  now: RealTime,
): Throttle {
  return new Throttle(
    key,
    email,
    [
      { name: `session:${sessionId}`, limit: ACCOUNT_LIMIT },
      { name: `person:${userId}`, limit: PERSON_LIMIT },
    ],
    now,
  );
}

/** Throttles second factors that are sent with a link to reset the password, which strangers do not have. */
export function resetThrottle({ key }: ThrottleOptions, email: string, now: RealTime): Throttle {
  return new Throttle(key, email, [{ name: `reset:${email}`, limit: ACCOUNT_LIMIT }], now);
}

/**
 * Throttles passwords that are sent with an invitation. Failures also count for the sign-in, so that a reader of the
 * link cannot guess twice as often by using both.
 */
export function invitationThrottle({ key }: ThrottleOptions, email: string, now: RealTime): Throttle {
  return new Throttle(
    key,
    email,
    [
      { name: `invitation:${email}`, limit: ACCOUNT_LIMIT },
      { name: `email:${email}`, limit: ACCOUNT_LIMIT, blocks: false },
    ],
    now,
  );
}

export function lockOf({ lockedUntil, locks }: Failures): AccountLock | null {
  return lockedUntil === null ? null : { until: lockedUntil, isNews: locks === 1 };
}
