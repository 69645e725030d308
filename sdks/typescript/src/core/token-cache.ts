import { TokenManager } from './token-manager.ts';

/**
 * Tokens that several clients share. Give one to each of them: those with the same address, client, secret and scope then
 * make one exchange together. It holds tokens and, of the secret, only a hash.
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
