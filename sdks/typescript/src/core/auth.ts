import { until } from './abort.ts';
import { ComplianceError } from './errors.ts';
import type { Settings } from './options.ts';

/** Names of the contract's security schemes. */
export type Scheme = 'bearerAuth' | 'apiKey' | 'oauth2';

export interface Credential {
  readonly headers: Readonly<Record<string, string>>;
  /** Present if a 401 may be cured by dropping this credential and taking a fresh one. */
  readonly discard?: () => void;
}

export interface IssuedToken {
  readonly access_token: string;
  readonly expires_in: number;
}

export interface Grant {
  readonly clientId: string;
  readonly clientSecret: string;
}

export type Exchange = (grant: Grant) => Promise<IssuedToken>;

/** Chooses, for each operation, the credential that its contract accepts. One only: the server refuses two. */
export class Credentials {
  readonly #settings: Settings;
  readonly #tokens: TokenCache | null;

  constructor(settings: Settings, exchange: Exchange) {
    this.#settings = settings;
    const grant = grantOf(settings);
    this.#tokens = grant ? new TokenCache(() => exchange(grant)) : null;
  }

  async for(schemes: readonly Scheme[], signal: AbortSignal): Promise<Credential> {
    const { accessToken, apiKey } = this.#settings;
    if (schemes.length === 0) return { headers: {} };
    if (accessToken !== undefined && (schemes.includes('bearerAuth') || schemes.includes('oauth2'))) {
      const token = typeof accessToken === 'function' ? await until(Promise.resolve(accessToken()), signal) : accessToken;
      return { headers: { Authorization: `Bearer ${printable(token)}` } };
    }
    if (apiKey !== undefined && schemes.includes('apiKey')) return { headers: { 'X-API-Key': printable(apiKey) } };
    if (this.#tokens !== null && schemes.includes('oauth2')) {
      const tokens = this.#tokens;
      const token = await until(tokens.get(), signal);
      return { headers: { Authorization: `Bearer ${printable(token)}` }, discard: () => tokens.discard(token) };
    }
    throw new ComplianceError(`This operation needs one of these credentials: ${schemes.map((scheme) => OPTION[scheme]).join(', ')}`);
  }
}

const OPTION: Readonly<Record<Scheme, string>> = { bearerAuth: 'accessToken', apiKey: 'apiKey', oauth2: 'clientId and clientSecret' };

/** An API key is an OAuth client: its prefix is the client id, the whole key the secret. */
function grantOf({ clientId, clientSecret, apiKey }: Settings): Grant | null {
  if (clientId !== undefined && clientSecret !== undefined) return { clientId, clientSecret };
  const prefix = apiKey?.slice(0, apiKey.lastIndexOf('_'));
  return apiKey !== undefined && prefix ? { clientId: prefix, clientSecret: apiKey } : null;
}

/** A control character could smuggle a second header in, and the platform's own error would print the secret. */
function printable(secret: string): string {
  if (!/^[\x21-\x7e]+$/.test(secret)) throw new ComplianceError('A credential is empty or holds characters that no header may carry');
  return secret;
}

/** A token is renewed this long before it expires, or after nine tenths of a short life. */
const EARLY_MS = 30_000;

/** Keeps one token. Calls that need a new one at the same time share a single exchange. */
export class TokenCache {
  readonly #exchange: () => Promise<IssuedToken>;
  #current: { readonly token: string; readonly renewAt: number; readonly expiresAt: number } | null = null;
  #pending: Promise<string> | null = null;

  constructor(exchange: () => Promise<IssuedToken>) {
    this.#exchange = exchange;
  }

  /** The current token; a renewal that becomes due runs in the background while the old one still serves. */
  async get(now: number = Date.now()): Promise<string> {
    const current = this.#current;
    if (current === null || now >= current.expiresAt) return this.#renew();
    // A failed early renewal harms nobody: the next call tries again, and the last one waits for it.
    if (now >= current.renewAt) this.#renew().catch(() => undefined);
    return current.token;
  }

  /** Forgets `token` unless another call has replaced it already. */
  discard(token: string): void {
    if (this.#current?.token === token) this.#current = null;
  }

  #renew(): Promise<string> {
    this.#pending ??= this.#request().finally(() => { this.#pending = null; });
    return this.#pending;
  }

  async #request(): Promise<string> {
    const asked = Date.now();
    const { access_token: token, expires_in: seconds } = await this.#exchange();
    const life = seconds * 1000;
    this.#current = { token, renewAt: asked + life - Math.min(EARLY_MS, life / 10), expiresAt: asked + life };
    return token;
  }
}
