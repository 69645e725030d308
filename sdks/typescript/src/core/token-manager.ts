/**
 * Keeps one token and renews it in time. Used by grant.ts and the cache. Simultaneous calls share one exchange; a
 * refused token is dropped.
 */
import type { ApiError } from './errors.ts';
import { rising } from './rising.ts';

export interface IssuedToken {
  readonly access_token: string;
  readonly expires_in: number;
}

export type Exchange = () => Promise<IssuedToken>;

/** Time before expiry at which a token is renewed; a short-lived token is renewed after nine tenths of its life. */
const EARLY_MS = 30_000;

/** Keeps one token. Calls that need a new one at the same time share a single exchange. */
export class TokenManager {
  #current: { readonly token: string; renewAt: number; readonly expiresAt: number } | null = null;
  #pending: Promise<string> | null = null;
  /**
   * Incremented when a token was refused, because an exchange started before may return a token that is refused as
   * well.
   */
  #generation = 0;
  /** Consecutive failures. */
  #failures = 0;

  /** Returns the current token; a due renewal runs in the background while the old token is still valid. */
  async get(exchange: Exchange, now: number = Date.now()): Promise<string> {
    const current = this.#current;
    if (current === null || now >= current.expiresAt) return this.#renew(exchange);
    // A failed early renewal does no harm: it is retried after a pause, and once the token has expired a call waits for
    // the renewal.
    if (now >= current.renewAt) this.#renew(exchange).catch(() => undefined);
    return current.token;
  }

  /** Drops `token` and any exchange in progress, unless another call has replaced the token already. */
  discard(token: string): void {
    if (this.#current?.token !== token) return;
    this.#current = this.#pending = null;
    this.#generation++;
  }

  #renew(exchange: Exchange): Promise<string> {
    if (this.#pending !== null) return this.#pending;
    const renewal = this.#request(exchange, this.#generation).finally(() => {
      if (this.#pending === renewal) this.#pending = null;
    });
    return (this.#pending = renewal);
  }

  async #request(exchange: Exchange, generation: number): Promise<string> {
    const asked = Date.now();
    try {
      const { access_token: token, expires_in: seconds } = await exchange();
      const life = seconds * 1000;
      this.#failures = 0;
      if (generation === this.#generation)
        this.#current = { token, renewAt: asked + life - Math.min(EARLY_MS, life / 10), expiresAt: asked + life };
      return token;
    } catch (failure) {
      const pause = (failure as Partial<ApiError> | null)?.retryAfter ?? rising(++this.#failures);
      if (this.#current !== null) this.#current.renewAt = Date.now() + pause;
      throw failure;
    }
  }
}
