import { until } from './abort.ts';
import { ComplianceOnboardingError } from './errors.ts';
import type { Settings } from './options.ts';
import { TokenManager, type IssuedToken } from './token-manager.ts';

/** Names of the contract's security schemes. */
export type Scheme = 'bearerAuth' | 'apiKey' | 'oauth2';

export interface Credential {
  readonly headers: Readonly<Record<string, string>>;
  /** Present if a 401 may be cured by dropping this credential and taking a fresh one. */
  readonly discard?: () => void;
}

export interface Grant {
  readonly clientId: string;
  readonly clientSecret: string;
}

export type GrantExchange = (grant: Grant) => Promise<IssuedToken>;

/** Chooses, for each operation, the credential that its contract accepts. One only: the server refuses two. */
export class Credentials {
  readonly #settings: Settings;
  readonly #exchange: GrantExchange;
  #manager: TokenManager | Promise<TokenManager> | undefined;

  constructor(settings: Settings, exchange: GrantExchange) {
    this.#settings = settings;
    this.#exchange = exchange;
  }

  async for(schemes: readonly Scheme[], signal: AbortSignal): Promise<Credential> {
    const { accessToken, apiKey } = this.#settings;
    if (schemes.length === 0) return { headers: {} };
    if (accessToken !== undefined && (schemes.includes('bearerAuth') || schemes.includes('oauth2'))) {
      return bearer(typeof accessToken === 'function' ? await until(Promise.resolve(accessToken()), signal) : accessToken);
    }
    if (apiKey !== undefined && schemes.includes('apiKey')) return { headers: { 'X-API-Key': apiKey } };
    const grant = schemes.includes('oauth2') ? grantOf(this.#settings) : null;
    if (grant === null) throw new ComplianceOnboardingError(`This operation needs one of these credentials: ${schemes.map((scheme) => OPTION[scheme]).join(', ')}`);
    const manager = await (this.#manager ??= this.#managerOf(grant));
    const token = await until(manager.get(() => this.#exchange(grant)), signal);
    return { ...bearer(token), discard: () => manager.discard(token) };
  }

  #managerOf({ clientId, clientSecret }: Grant): TokenManager | Promise<TokenManager> {
    const { tokenCache, baseUrl, scope } = this.#settings;
    return tokenCache?.manager(baseUrl, clientId, clientSecret, scope ?? '') ?? new TokenManager();
  }
}

const OPTION: Readonly<Record<Scheme, string>> = { bearerAuth: 'accessToken', apiKey: 'apiKey', oauth2: 'clientId and clientSecret' };

/** An API key is an OAuth client: its prefix is the client id, the whole key the secret. */
function grantOf({ clientId, clientSecret, apiKey }: Settings): Grant | null {
  if (clientId !== undefined && clientSecret !== undefined) return { clientId, clientSecret };
  const prefix = apiKey?.slice(0, apiKey.lastIndexOf('_'));
  return apiKey !== undefined && prefix ? { clientId: prefix, clientSecret: apiKey } : null;
}

function bearer(token: string): Credential {
  return { headers: { Authorization: `Bearer ${token}` } };
}
