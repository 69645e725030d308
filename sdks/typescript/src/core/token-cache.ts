/**
 * Shares tokens between clients. Created by programs and passed as an option. It holds tokens in memory and only a hash
 * of the secret.
 */
import { TokenManager } from './token-manager.ts';

/**
 * Tokens that several clients share. Pass one cache to each of them: clients with the same address, id, secret and
 * scope then share one exchange. The cache stores tokens and only a hash of the secret.
 */
export class TokenCache {
  readonly #managers = new Map<string, TokenManager>();

  /** @internal */
  async manager(baseUrl: string, clientId: string, clientSecret: string, scope: string): Promise<TokenManager> {
    const named = new TextEncoder().encode(JSON.stringify([baseUrl, clientId, clientSecret, scope]));
    const key = String(new Uint8Array(await crypto.subtle.digest('SHA-256', named)));
    const known = this.#managers.get(key) ?? new TokenManager();
    this.#managers.set(key, known);
    return known;
  }
}
