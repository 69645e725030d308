/**
 * The throttle of the sign-in, which distinguishes places where the person has signed in before. Called, through the
 * index, by sign-in and passwords. A refusal must not reveal whether an address has an account, nor let strangers lock
 * out its owner.
 */
import { createHmac, randomBytes } from 'node:crypto';
import { DAY_MILLISECONDS, type RealTime } from '../../base/time.ts';
import type { Problem } from '../../contract/problem.ts';
import type { Transaction } from '../../database/index.ts';
import { siteOf } from '../../identity/client-address.ts';
import { ACCOUNT_LIMIT, afterFailure, type Failures, lockedFor } from './lockout.ts';
import {
  clearFailures,
  findKnownPlaces,
  forgetPlaces,
  lockFailures,
  purgePlaces,
  readFailures,
  rememberPlace,
  saveFailures,
  showLockedUntil,
} from './store.ts';
import {
  accountKey,
  type AccountLock,
  bucketKey,
  type FailureCounter,
  lockOf,
  type ThrottleOptions,
  waitFor,
} from './throttle.ts';

/** Time without a sign-in after which a place is unknown again. */
const KNOWN_FOR = 90 * DAY_MILLISECONDS;

interface SignInOrigin {
  readonly clientIp: string;
  readonly deviceToken?: string | undefined;
  readonly now: RealTime;
}

/** Location of an attempt at an account: the site of the address and, if the client sends a token, the device. */
export class SignInLocation {
  readonly account: string;
  readonly #key: Buffer;
  readonly #origin: SignInOrigin;
  readonly #site: string;
  /** Device token. Without one, a random token that no device has, so that the same statements run. */
  readonly #token: string;
  #known: ReadonlySet<string> = new Set();

  constructor(key: Buffer, email: string, origin: SignInOrigin) {
    this.account = accountKey(key, email);
    this.#key = key;
    this.#origin = origin;
    this.#site = this.#macOf('site', siteOf(origin.clientIp));
    this.#token = origin.deviceToken ?? newToken();
  }

  /** Loads whether the person has signed in from the site and from the device. */
  async load(tx: Transaction): Promise<void> {
    const since = new Date(this.#origin.now.getTime() - KNOWN_FOR);
    this.#known = await findKnownPlaces(tx, {
      account: this.account,
      site: this.#site,
      device: this.#device(this.#token),
      since,
    });
  }

  /** Whether the person has signed in from here before. Available after `load`. */
  get isKnown(): boolean {
    return this.#known.size > 0;
  }

  /** Location for which failures count: a known device, else the site. Available after `load`. */
  get current(): string {
    const device = this.#device(this.#token);
    return this.#known.has(device) ? device : this.#site;
  }

  /** Records a sign-in from here. Returns the token by which the device is recognised the next time. */
  async remember(tx: Transaction): Promise<string> {
    const { account } = this;
    const { now } = this.#origin;
    const token = this.#known.has(this.#device(this.#token)) ? this.#token : newToken();
    await rememberPlace(tx, {
      account,
      place: this.#site,
      kind: 'site',
      now,
    });
    await rememberPlace(tx, {
      account,
      place: this.#device(token),
      kind: 'device',
      now,
    });
    return token;
  }

  /** Forgets the other locations after a change of the password, because they may be those of a thief. */
  async trustOnlyThis(tx: Transaction): Promise<void> {
    await forgetPlaces(tx, this.account);
    await rememberPlace(tx, {
      account: this.account,
      place: this.#site,
      kind: 'site',
      now: this.#origin.now,
    });
  }

  #device(token: string): string {
    return this.#macOf('device', token);
  }

  #macOf(kind: string, value: string): string {
    return createHmac('sha256', this.#key).update(`${kind}:${this.account}:${value}`).digest('base64url');
  }
}

export function purgeKnownLocations(tx: Transaction, now: RealTime): Promise<number> {
  return purgePlaces(tx, new Date(now.getTime() - KNOWN_FOR));
}

function newToken(): string {
  return `dt_${randomBytes(32).toString('base64url')}`;
}

/**
 * Counts failed sign-ins in three counters, whether or not the e-mail address has an account: for the location and the
 * account, for the account from all locations, and for the site and all accounts. A lock of the location refuses every
 * attempt from there. A lock of the account or of the site refuses attempts with a wrong password or from an unknown
 * location, without revealing which applies. The right password from a known location is accepted.
 */
export class SignInThrottle implements FailureCounter {
  readonly location: SignInLocation;
  readonly #options: ThrottleOptions;
  readonly #email: string;
  readonly #now: RealTime;
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

  /**
   * Returns the refusal of an attempt before its password is verified, so that a lock also refuses the right password.
   */
  async refusal(tx: Transaction): Promise<Problem | null> {
    await this.location.load(tx);
    return this.#locked(await readFailures(tx, this.#locationKey));
  }

  /**
   * Locks the counters, so that attempts are judged one after another. Parallel guesses after a lock of the location do
   * not learn whether they are right.
   */
  async enter(tx: Transaction): Promise<Problem | null> {
    this.#locationBefore = await lockFailures(tx, this.#locationKey, this.account, this.#now);
    this.#accountBefore = await lockFailures(tx, this.account, this.account, this.#now);
    this.#siteBefore = await readFailures(tx, this.#siteKey);
    return this.#locked(this.#locationBefore);
  }

  /** Current refusal of attempts from unknown locations, or null. Available after `enter`. */
  get refusalElsewhere(): Problem | null {
    const slowed = lockedFor(this.#siteBefore, this.#now);
    return this.#locked(this.#accountBefore) ?? (slowed === null ? null : waitFor('rate_limited', slowed));
  }

  /**
   * Clears the failures of this location after a successful sign-in, because the person made them. Failures at other
   * locations still count. Must follow `enter`.
   */
  async succeed(tx: Transaction): Promise<void> {
    const [here, all] = [this.#locationBefore?.count ?? 0, this.#accountBefore];
    await clearFailures(tx, this.#locationKey);
    if (all !== null && here > 0 && all.count > 0)
      await saveFailures(tx, this.account, { ...all, count: Math.max(0, all.count - here) });
  }

  /**
   * Counts a failure. While unknown locations are refused, their guesses learn nothing and do not extend the lock. Must
   * follow `enter`.
   */
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

  /** Counts a failure of the site. The site is always locked after the account, so that attempts cannot deadlock. */
  async #countSite(tx: Transaction): Promise<void> {
    const before = await lockFailures(tx, this.#siteKey, null, this.#now);
    if (lockedFor(before, this.#now) === null)
      await saveFailures(tx, this.#siteKey, afterFailure(before, this.#now, this.#options.addressLimit));
  }

  get #locationKey(): string {
    return bucketKey(this.#options.key, `place:${this.location.current}`);
  }

  #locked(failures: Failures | null): Problem | null {
    const wait = lockedFor(failures, this.#now);
    return wait === null ? null : waitFor('account_locked', wait);
  }
}
