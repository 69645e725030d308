/**
 * Exchanges client credentials for tokens. Loaded by the credentials when a call first needs a token. Imports almost
 * nothing, because bundlers make a chunk of what is shared.
 */
import type { Credential } from './auth.ts';
import type { InvalidResponseError } from './errors.ts';
import type { Operation } from './operation.ts';
import type { Settings } from './options.ts';
import { TokenManager, type IssuedToken } from './token-manager.ts';
import type { Transport } from './transport.ts';

const TOKEN: Operation = {
  route: 'POST /oauth/token',
  path: '/oauth/token',
  marks: 'r',
  members: [],
};

interface Grant {
  readonly clientId: string;
  readonly clientSecret: string;
}

/**
 * Exchanges the credentials of a client for tokens (RFC 6749 §4.4). It is loaded when a call first needs a token. Of
 * the modules loaded earlier it imports only `rising.ts`, because a bundler puts what two chunks share into a third
 * chunk.
 */
export class Grants {
  readonly #settings: Settings;
  readonly #transport: Transport;
  readonly #Invalid: typeof InvalidResponseError;
  #manager: TokenManager | Promise<TokenManager> | undefined;

  constructor(settings: Settings, transport: Transport, Invalid: typeof InvalidResponseError) {
    this.#settings = settings;
    this.#transport = transport;
    this.#Invalid = Invalid;
  }

  /** Returns a current token, or null if there are no credentials to exchange. */
  async credential(): Promise<Credential | null> {
    const grant = grantOf(this.#settings);
    if (grant === null) return null;
    const manager = await (this.#manager ??= this.#managerOf(grant));
    const token = await manager.get(() => this.#exchange(grant));
    return { headers: { Authorization: `Bearer ${token}` }, discard: () => manager.discard(token) };
  }

  #managerOf({ clientId, clientSecret }: Grant): TokenManager | Promise<TokenManager> {
    const { tokenCache, baseUrl, scope } = this.#settings;
    return tokenCache?.manager(baseUrl, clientId, clientSecret, scope ?? '') ?? new TokenManager();
  }

  async #exchange({ clientId, clientSecret }: Grant): Promise<IssuedToken> {
    const { scope } = this.#settings;
    // RFC 6749 §2.3.1: both parts are form-encoded before Basic joins them.
    const headers = {
      Authorization: `Basic ${btoa(`${encodeURIComponent(clientId)}:${encodeURIComponent(clientSecret)}`)}`,
    };
    const body = { grant_type: 'client_credentials', ...(scope && { scope }) };
    const encode = (): Blob =>
      new Blob([String(new URLSearchParams(body))], { type: 'application/x-www-form-urlencoded' });
    const { data, response } = await this.#transport.answer<IssuedToken>(TOKEN, { body, encode, options: { headers } });
    if (!data.access_token) throw new this.#Invalid(response, 'there is no token in the body');
    return data;
  }
}

/**
 * Returns the client id and secret of the exchange. An API key is an OAuth client: its prefix is the client id, the
 * whole key the secret.
 */
function grantOf({ clientId, clientSecret, apiKey }: Settings): Grant | null {
  if (clientId !== undefined && clientSecret !== undefined) return { clientId, clientSecret };
  const prefix = apiKey?.slice(0, apiKey.lastIndexOf('_'));
  return apiKey !== undefined && prefix ? { clientId: prefix, clientSecret: apiKey } : null;
}
