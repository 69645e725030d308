import { createHmac, randomBytes } from 'node:crypto';
import type { Transaction } from '../../database/index.ts';
import { siteOf } from '../../http/client-ip.ts';
import { findKnown, forgetPlaces, purgePlaces, seePlace } from './store/known-places.ts';
import { accountKey } from './throttle.ts';

const REMEMBERED = 90 * 86_400_000;

export interface Visitor {
  readonly clientIp: string;
  readonly deviceToken?: string | undefined;
  readonly now: Date;
}

/** Where an attempt at an account comes from: the site of the address and, if the client shows a token, the device. */
export class Places {
  readonly account: string;
  readonly #key: Buffer;
  readonly #visitor: Visitor;
  readonly #site: string;
  /** Without a token one that nobody has, so that the same statements run. */
  readonly #token: string;
  #known: ReadonlySet<string> = new Set();

  constructor(key: Buffer, email: string, visitor: Visitor) {
    this.account = accountKey(key, email);
    this.#key = key;
    this.#visitor = visitor;
    this.#site = this.#placeOf('site', siteOf(visitor.clientIp));
    this.#token = visitor.deviceToken ?? newToken();
  }

  /** Asks which of them the person signed in from. */
  async look(tx: Transaction): Promise<void> {
    const since = new Date(this.#visitor.now.getTime() - REMEMBERED);
    this.#known = await findKnown(tx, { account: this.account, site: this.#site, device: this.#device(this.#token), since });
  }

  /** After `look`. */
  get isKnown(): boolean {
    return this.#known.size > 0;
  }

  /** After `look`. A device speaks for itself; whatever comes without one counts for its site. */
  get current(): string {
    const device = this.#device(this.#token);
    return this.#known.has(device) ? device : this.#site;
  }

  /** The person signed in here: the token with which the device shows it the next time. */
  async remember(tx: Transaction): Promise<string> {
    const { account } = this;
    const { now } = this.#visitor;
    const token = this.#known.has(this.#device(this.#token)) ? this.#token : newToken();
    await seePlace(tx, { account, place: this.#site, kind: 'site', now });
    await seePlace(tx, { account, place: this.#device(token), kind: 'device', now });
    return token;
  }

  /** There is a new password: whoever signed in with the old one is a stranger, wherever it was, except here. */
  async begin(tx: Transaction): Promise<void> {
    await forgetPlaces(tx, this.account);
    await seePlace(tx, { account: this.account, place: this.#site, kind: 'site', now: this.#visitor.now });
  }

  #device(token: string): string {
    return this.#placeOf('device', token);
  }

  #placeOf(kind: string, value: string): string {
    return createHmac('sha256', this.#key).update(`${kind}:${this.account}:${value}`).digest('base64url');
  }
}

export function purgeKnownPlaces(tx: Transaction, now: Date): Promise<number> {
  return purgePlaces(tx, new Date(now.getTime() - REMEMBERED));
}

function newToken(): string {
  return `dt_${randomBytes(32).toString('base64url')}`;
}
