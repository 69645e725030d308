import { createHmac, randomBytes } from 'node:crypto';
import { DAY_MILLISECONDS } from '../../base/time.ts';
import type { Problem } from '../../contract/problem.ts';
import type { Transaction } from '../../database/index.ts';
import { siteOf } from '../../identity/client-address.ts';
import { ACCOUNT_LIMIT, afterFailure, type Failures, lockedFor } from './lockout.ts';
import {
  clearFailures, findKnownPlaces, forgetPlaces, lockFailures, purgePlaces, readFailures, rememberPlace, saveFailures, showLockedUntil,
} from './store.ts';
import { accountKey, type AccountLock, bucketKey, type FailureCounter, lockOf, type ThrottleOptions, waitFor } from './throttle.ts';

/** A place where nobody signed in for so long is unknown again. */
const KNOWN_FOR = 90 * DAY_MILLISECONDS;

interface SignInOrigin {
  readonly clientIp: string;
  readonly deviceToken?: string | undefined;
  readonly now: Date;
}

/** Where an attempt at an account comes from: the site of the address and, if the client shows a token, the device. */
export class SignInLocation {
  readonly account: string;
  readonly #key: Buffer;
  readonly #origin: SignInOrigin;
  readonly #site: string;
  /** Without a token one that nobody has, so that the same statements run. */
  readonly #token: string;
  #known: ReadonlySet<string> = new Set();

  constructor(key: Buffer, email: string, origin: SignInOrigin) {
    this.account = accountKey(key, email);
    this.#key = key;
    this.#origin = origin;
    this.#site = this.#macOf('site', siteOf(origin.clientIp));
    this.#token = origin.deviceToken ?? newToken();
  }

  /** Asks which of them the person signed in from. */
  async load(tx: Transaction): Promise<void> {
    const since = new Date(this.#origin.now.getTime() - KNOWN_FOR);
    this.#known = await findKnownPlaces(tx, { account: this.account, site: this.#site, device: this.#device(this.#token), since });
  }

  /** After `load`. */
  get isKnown(): boolean {
    return this.#known.size > 0;
  }

  /** After `load`. A known device is a location of its own; an attempt without one counts for its site. */
  get current(): string {
    const device = this.#device(this.#token);
    return this.#known.has(device) ? device : this.#site;
  }

  /** The person signed in here: the token with which the device shows it the next time. */
  async remember(tx: Transaction): Promise<string> {
    const { account } = this;
    const { now } = this.#origin;
    const token = this.#known.has(this.#device(this.#token)) ? this.#token : newToken();
    await rememberPlace(tx, { account, place: this.#site, kind: 'site', now });
    await rememberPlace(tx, { account, place: this.#device(token), kind: 'device', now });
    return token;
  }

  /** After a change of the password, only the current location stays known: the others may be those of a thief. */
  async trustOnlyThis(tx: Transaction): Promise<void> {
    await forgetPlaces(tx, this.account);
    await rememberPlace(tx, { account: this.account, place: this.#site, kind: 'site', now: this.#origin.now });
  }

  #device(token: string): string {
    return this.#macOf('device', token);
  }

  #macOf(kind: string, value: string): string {
    return createHmac('sha256', this.#key).update(`${kind}:${this.account}:${value}`).digest('base64url');
  }
}

export function purgeKnownLocations(tx: Transaction, now: Date): Promise<number> {
  return purgePlaces(tx, new Date(now.getTime() - KNOWN_FOR));
}

function newToken(): string {
  return `dt_${randomBytes(32).toString('base64url')}`;
}

/**
 * Counts failed sign-ins three times, whether or not anybody has the e-mail address: of the place that tries this account,
 * of the account from all places together, and of the site whatever it tries. A lock of the place bars everybody there. A
 * lock of the account or of the site bars those who come with a wrong password or from a place that the person never
 * signed in from, who cannot tell which it was; the person who is right and comes from a known place is let in.
 */
export class SignInThrottle implements FailureCounter {
  readonly location: SignInLocation;
  readonly #options: ThrottleOptions;
  readonly #email: string;
  readonly #now: Date;
  readonly #siteKey: string;
  #locationBefore: Failures | null = null;
  #accountBefore: Failures | null = null;
  #siteBefore: Failures | null = null;

  constructor(options: ThrottleOptions, email: string, origin: SignInOrigin) {
    this.#options = options;
    this.#email = email;
    this.#now = origin.now;
    this.location = new SignInLocation(options.key, email, origin);
    this.#siteKey = bucketKey(options.key, `address:${siteOf(origin.clientIp)}`);
  }

  get account(): string {
    return this.location.account;
  }

  /** The refusal of an attempt before any work is done for it: also of one that would be right. */
  async refusal(tx: Transaction): Promise<Problem | null> {
    await this.location.load(tx);
    return this.#locked(await readFailures(tx, this.#locationKey));
  }

  /** Attempts are judged one after the other: of guesses that were made in parallel those behind a lock of the place learn nothing. */
  async enter(tx: Transaction): Promise<Problem | null> {
    this.#locationBefore = await lockFailures(tx, this.#locationKey, this.account, this.#now);
    this.#accountBefore = await lockFailures(tx, this.account, this.account, this.#now);
    this.#siteBefore = await readFailures(tx, this.#siteKey);
    return this.#locked(this.#locationBefore);
  }

  /** After `enter`: the refusal of attempts from unknown locations, if there is one at present. */
  get refusalElsewhere(): Problem | null {
    const slowed = lockedFor(this.#siteBefore, this.#now);
    return this.#locked(this.#accountBefore) ?? (slowed === null ? null : waitFor('rate_limited', slowed));
  }

  /** After `enter`: everything was right, so what failed here was the person. What others did elsewhere stays counted. */
  async succeed(tx: Transaction): Promise<void> {
    const [here, all] = [this.#locationBefore?.count ?? 0, this.#accountBefore];
    await clearFailures(tx, this.#locationKey);
    if (all !== null && here > 0 && all.count > 0) await saveFailures(tx, this.account, { ...all, count: Math.max(0, all.count - here) });
  }

  /** After `enter`: something was wrong. While unknown locations are refused, their guesses learn nothing and do not extend the lock. */
  async fail(tx: Transaction): Promise<AccountLock | null> {
    const here = afterFailure(this.#locationBefore, this.#now, ACCOUNT_LIMIT);
    await saveFailures(tx, this.#locationKey, here);
    const account = this.refusalElsewhere === null ? afterFailure(this.#accountBefore, this.#now, ACCOUNT_LIMIT) : null;
    if (account !== null) await saveFailures(tx, this.account, account);
    if (account?.lockedUntil != null) void showLockedUntil(tx, this.#email, account.lockedUntil);
    await this.#countSite(tx);
    const [ofAccount, ofLocation] = [account === null ? null : lockOf(account), lockOf(here)];
    return ofAccount ?? (ofLocation && { ...ofLocation, isNews: ofLocation.isNews && this.location.isKnown });
  }

  /** Locked always after the account, so that two attempts cannot wait for each other. */
  async #countSite(tx: Transaction): Promise<void> {
    const before = await lockFailures(tx, this.#siteKey, null, this.#now);
    if (lockedFor(before, this.#now) === null) await saveFailures(tx, this.#siteKey, afterFailure(before, this.#now, this.#options.addressLimit));
  }

  get #locationKey(): string {
    return bucketKey(this.#options.key, `place:${this.location.current}`);
  }

  #locked(failures: Failures | null): Problem | null {
    const wait = lockedFor(failures, this.#now);
    return wait === null ? null : waitFor('account_locked', wait);
  }
}
