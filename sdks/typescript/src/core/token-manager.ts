import type { ApiError } from './errors.ts';
import { rising } from './rising.ts';

export interface IssuedToken {
  readonly access_token: string;
  readonly expires_in: number;
}

export type Exchange = () => Promise<IssuedToken>;

/** A token is renewed this long before it expires, or after nine tenths of a short life. */
const EARLY_MS = 30_000;

/** Keeps one token. Calls that need a new one at the same time share a single exchange. */
export class TokenManager {
  #current: { readonly token: string; renewAt: number; readonly expiresAt: number } | null = null;
  #pending: Promise<string> | null = null;
  /** Grows when a token was refused: an exchange that began before may bring one that is refused as well. */
  #generation = 0;
  /** In a row. */
  #failures = 0;

  /** The current token; a renewal that becomes due runs in the background while the old one still serves. */
  async get(exchange: Exchange, now: number = Date.now()): Promise<string> {
    const current = this.#current;
    if (current === null || now >= current.expiresAt) return this.#renew(exchange);
    // A failed early renewal harms nobody: it is tried again after a pause, and once the token has ended a call waits for it.
    if (now >= current.renewAt) this.#renew(exchange).catch(() => undefined);
    return current.token;
  }

  /** Forgets `token` and what is on its way, unless another call has replaced it already. */
  discard(token: string): void {
    if (this.#current?.token !== token) return;
    this.#current = this.#pending = null;
    this.#generation++;
  }

  #renew(exchange: Exchange): Promise<string> {
    if (this.#pending !== null) return this.#pending;
    const renewal = this.#request(exchange, this.#generation).finally(() => { if (this.#pending === renewal) this.#pending = null; });
    return this.#pending = renewal;
  }

  async #request(exchange: Exchange, generation: number): Promise<string> {
    const asked = Date.now();
    try {
      const { access_token: token, expires_in: seconds } = await exchange();
      const life = seconds * 1000;
      this.#failures = 0;
      if (generation === this.#generation) this.#current = { token, renewAt: asked + life - Math.min(EARLY_MS, life / 10), expiresAt: asked + life };
      return token;
    } catch (failure) {
      const pause = (failure as Partial<ApiError> | null)?.retryAfter ?? rising(++this.#failures);
      if (this.#current !== null) this.#current.renewAt = Date.now() + pause;
      throw failure;
    }
  }
}
