import type { Transaction } from '../../database/index.ts';
import { siteOf } from '../../http/client-ip.ts';
import type { Problem } from '../../http/problem.ts';
import { ACCOUNT_LIMIT, afterFailure, lockedFor, type Failures } from './lockout.ts';
import { Places, type Visitor } from './places.ts';
import { waitFor } from './refusals.ts';
import { clearFailures, lockFailures, readFailures, saveFailures, showLockedUntil } from './store/throttle.ts';
import { laneKey, lockOf, type Counter, type Lock, type ThrottleOptions } from './throttle.ts';

/**
 * Counts failed sign-ins three times, whether or not anybody has the e-mail address: of the place that tries this account,
 * of the account from all places together, and of the site whatever it tries. A lock of the place bars everybody there. A
 * lock of the account or of the site bars those who come with a wrong password or from a place that the person never
 * signed in from, who cannot tell which it was; the person who is right and comes from a known place is let in.
 */
export class SignInThrottle implements Counter {
  readonly places: Places;
  readonly #options: ThrottleOptions;
  readonly #email: string;
  readonly #now: Date;
  readonly #siteKey: string;
  #placeBefore: Failures | null = null;
  #accountBefore: Failures | null = null;
  #siteBefore: Failures | null = null;

  constructor(options: ThrottleOptions, email: string, visitor: Visitor) {
    this.#options = options;
    this.#email = email;
    this.#now = visitor.now;
    this.places = new Places(options.key, email, visitor);
    this.#siteKey = laneKey(options.key, `address:${siteOf(visitor.clientIp)}`);
  }

  get account(): string {
    return this.places.account;
  }

  /** The refusal of an attempt before any work is done for it: also of one that would be right. */
  async refusal(tx: Transaction): Promise<Problem | null> {
    await this.places.look(tx);
    return this.#locked(await readFailures(tx, this.#placeKey));
  }

  /** Attempts are judged one after the other: of guesses that were made in parallel those behind a lock of the place learn nothing. */
  async enter(tx: Transaction): Promise<Problem | null> {
    this.#placeBefore = await lockFailures(tx, this.#placeKey, this.account, this.#now);
    this.#accountBefore = await lockFailures(tx, this.account, this.account, this.#now);
    this.#siteBefore = await readFailures(tx, this.#siteKey);
    return this.#locked(this.#placeBefore);
  }

  /** After `enter`: what keeps strangers out at present. */
  get bar(): Problem | null {
    const slowed = lockedFor(this.#siteBefore, this.#now);
    return this.#locked(this.#accountBefore) ?? (slowed === null ? null : waitFor('rate_limited', slowed));
  }

  /** After `enter`: everything was right, so what failed here was the person. What others did elsewhere stays counted. */
  async succeed(tx: Transaction): Promise<void> {
    const [here, all] = [this.#placeBefore?.count ?? 0, this.#accountBefore];
    await clearFailures(tx, this.#placeKey);
    if (all !== null && here > 0 && all.count > 0) await saveFailures(tx, this.account, { ...all, count: Math.max(0, all.count - here) });
  }

  /** After `enter`: something was wrong. While strangers are barred, a guess told nobody anything who is one. */
  async fail(tx: Transaction): Promise<Lock | null> {
    const place = afterFailure(this.#placeBefore, this.#now, ACCOUNT_LIMIT);
    await saveFailures(tx, this.#placeKey, place);
    const account = this.bar === null ? afterFailure(this.#accountBefore, this.#now, ACCOUNT_LIMIT) : null;
    if (account !== null) await saveFailures(tx, this.account, account);
    if (account?.lockedUntil != null) void showLockedUntil(tx, this.#email, account.lockedUntil);
    await this.#countSite(tx);
    const [whole, here] = [account === null ? null : lockOf(account), lockOf(place)];
    return whole ?? (here && { ...here, isNews: here.isNews && this.places.isKnown });
  }

  /** Locked always after the account, so that two attempts cannot wait for each other. */
  async #countSite(tx: Transaction): Promise<void> {
    const before = await lockFailures(tx, this.#siteKey, null, this.#now);
    if (lockedFor(before, this.#now) === null) await saveFailures(tx, this.#siteKey, afterFailure(before, this.#now, this.#options.addressLimit));
  }

  get #placeKey(): string {
    return laneKey(this.#options.key, `place:${this.places.current}`);
  }

  #locked(failures: Failures | null): Problem | null {
    const wait = lockedFor(failures, this.#now);
    return wait === null ? null : waitFor('account_locked', wait);
  }
}
