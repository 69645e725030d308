import { createHmac } from 'node:crypto';
import type { Transaction } from '../../database/index.ts';
import { siteOf } from '../../http/client-ip.ts';
import type { Problem } from '../../http/problem.ts';
import type { Services } from '../../services.ts';
import { ACCOUNT_LIMIT, afterFailure, lockedFor, type Failures } from './lockout.ts';
import { waitFor } from './refusals.ts';
import { clearFailures, lockFailures, readFailures, saveFailures, showLockedUntil } from './store/throttle.ts';

export interface ThrottleOptions {
  /** Addresses are not kept readable. */
  readonly key: Buffer;
  readonly addressLimit: number;
}

/** From one address many people sign in: it may fail in 15 minutes as often as it may try in ten. */
const ADDRESS_LIMIT_MINUTES = 10;

export function throttleOptions({ config, secrets }: Pick<Services, 'config' | 'secrets'>): ThrottleOptions {
  return { key: secrets.deriveKey('login-throttle'), addressLimit: config.rateLimits.loginsPerAddress * ADDRESS_LIMIT_MINUTES };
}

/** Under which the failures of an e-mail address are counted. */
export function accountKey(key: Buffer, email: string): string {
  return createHmac('sha256', key).update(`email:${email}`).digest('base64url');
}

/** Counts the failures of one attempt's e-mail address, whether or not anybody has it, and of its client's address. */
export class Throttle {
  /** Stands for the e-mail address where it must not be read. */
  readonly account: string;
  readonly #now: Date;
  readonly #email: string;
  readonly #addressLimit: number;
  readonly #address: string;
  #before: Failures | null = null;

  constructor({ key, addressLimit }: ThrottleOptions, email: string, clientIp: string, now: Date) {
    this.#now = now;
    this.#email = email;
    this.#addressLimit = addressLimit;
    this.account = accountKey(key, email);
    this.#address = createHmac('sha256', key).update(`address:${siteOf(clientIp)}`).digest('base64url');
  }

  /** The refusal of an attempt that comes too early, before any work is done for it. */
  async refusal(tx: Transaction): Promise<Problem | null> {
    const [account, address] = await Promise.all([readFailures(tx, this.account), readFailures(tx, this.#address)]);
    const locked = lockedFor(account, this.#now);
    if (locked !== null) return waitFor('account_locked', locked);
    const slowed = lockedFor(address, this.#now);
    return slowed === null ? null : waitFor('rate_limited', slowed);
  }

  /**
   * Attempts are judged one after the other. Guesses that were made in parallel and come after the one that locked the
   * account are not even told whether they were right.
   */
  async enter(tx: Transaction): Promise<Problem | null> {
    this.#before = await lockFailures(tx, this.account, this.#now);
    const locked = lockedFor(this.#before, this.#now);
    return locked === null ? null : waitFor('account_locked', locked);
  }

  /** After `enter`: everything was right. */
  async succeed(tx: Transaction): Promise<void> {
    await clearFailures(tx, this.account);
  }

  /** After `enter`: something was wrong. Until when the account is locked, if this was once too often. */
  async fail(tx: Transaction): Promise<Date | null> {
    const account = afterFailure(this.#before, this.#now, ACCOUNT_LIMIT);
    await saveFailures(tx, this.account, account);
    if (account.lockedUntil !== null) void showLockedUntil(tx, this.#email, account.lockedUntil);
    // Locked always after the account, so that two attempts cannot wait for each other.
    const address = afterFailure(await lockFailures(tx, this.#address, this.#now), this.#now, this.#addressLimit);
    await saveFailures(tx, this.#address, address);
    return account.lockedUntil;
  }
}
