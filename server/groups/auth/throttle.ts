import { createHmac } from 'node:crypto';
import type { Transaction } from '../../database/index.ts';
import { siteOf } from '../../http/client-ip.ts';
import type { Problem } from '../../http/problem.ts';
import { ACCOUNT_LIMIT, afterFailure, lockedFor } from './lockout.ts';
import { waitFor } from './refusals.ts';
import { clearFailures, lockFailures, readFailures, saveFailures } from './store/throttle.ts';

export interface ThrottleOptions {
  /** Addresses are not kept readable. */
  readonly key: Buffer;
  readonly addressLimit: number;
}

/** Counts the failures of one attempt's e-mail address, whether or not anybody has it, and of its client's address. */
export class Throttle {
  readonly #now: Date;
  readonly #addressLimit: number;
  readonly #account: string;
  readonly #address: string;

  constructor({ key, addressLimit }: ThrottleOptions, email: string, clientIp: string, now: Date) {
    this.#now = now;
    this.#addressLimit = addressLimit;
    const keyOf = (subject: string): string => createHmac('sha256', key).update(subject).digest('base64url');
    this.#account = keyOf(`email:${email}`);
    this.#address = keyOf(`address:${siteOf(clientIp)}`);
  }

  /** The refusal of an attempt that comes too early, before any work is done for it. */
  async refusal(tx: Transaction): Promise<Problem | null> {
    const [account, address] = await Promise.all([readFailures(tx, this.#account), readFailures(tx, this.#address)]);
    const locked = lockedFor(account, this.#now);
    if (locked !== null) return waitFor('account_locked', locked);
    const slowed = lockedFor(address, this.#now);
    return slowed === null ? null : waitFor('rate_limited', slowed);
  }

  /**
   * The outcome of an attempt, counted one after the other. Guesses that were made in parallel and come after the one
   * that locked the account are not even told whether they were right.
   */
  async settle(tx: Transaction, right: boolean): Promise<'counted' | 'locking' | Problem> {
    const before = await lockFailures(tx, this.#account, this.#now);
    const locked = lockedFor(before, this.#now);
    if (locked !== null) return waitFor('account_locked', locked);
    if (right) {
      await clearFailures(tx, this.#account);
      return 'counted';
    }
    const account = afterFailure(before, this.#now, ACCOUNT_LIMIT);
    await saveFailures(tx, this.#account, account);
    // Locked always after the account, so that two attempts cannot wait for each other.
    const address = afterFailure(await lockFailures(tx, this.#address, this.#now), this.#now, this.#addressLimit);
    await saveFailures(tx, this.#address, address);
    return account.lockedUntil === null ? 'counted' : 'locking';
  }
}
