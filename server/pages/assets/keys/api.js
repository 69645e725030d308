/** @import { ApiKey, ApiKeyCreate, ApiKeyIssued, ApiKeyList, ApiKeyUpdate, Scope } from '../app/types.d.ts' */
/** @import { Session } from '../app/session.js' */

const KEYS = '/v1/settings/api-keys';

/** @typedef {'used' | 'unused' | 'ended'} View */

/** The operations this page uses, by their names in the contract. */
export class Api {
  /** @type {Session} */ #session;
  /** One instant for all pages of a list: a cursor is bound to its filter. */
  #unusedSince = new Date(Date.now() - 90 * 86_400_000).toISOString();

  /** @param {Session} session */
  constructor(session) {
    this.#session = session;
  }

  /** @param {{ view: View, cursor: string | null }} filter */
  async listApiKeys({ view, cursor }) {
    const query = new URLSearchParams({ limit: '25' });
    for (const status of view === 'ended' ? ['expired', 'revoked'] : ['active', 'rotating']) query.append('status', status);
    if (view === 'unused') query.set('unusedSince', this.#unusedSince);
    if (cursor !== null) query.set('cursor', cursor);
    return /** @type {ApiKeyList} */ (await this.#session.call('GET', `${KEYS}?${query}`));
  }

  /**
   * @param {ApiKeyCreate} body
   * @param {string} idempotencyKey
   */
  async createApiKey(body, idempotencyKey) {
    return /** @type {ApiKeyIssued} */ (await this.#session.call('POST', KEYS, { body, idempotencyKey }));
  }

  /**
   * @param {ApiKey} key
   * @param {ApiKeyUpdate} body
   */
  async updateApiKey(key, body) {
    return /** @type {ApiKey} */ (await this.#session.call('PATCH', `${KEYS}/${key.prefix}`, { body, version: key.version }));
  }

  /**
   * @param {ApiKey} key
   * @param {Scope[]} scopes
   */
  async replaceApiKeyScopes(key, scopes) {
    return /** @type {ApiKey} */ (await this.#session.call('PUT', `${KEYS}/${key.prefix}/scopes`, { body: { scopes }, version: key.version }));
  }

  /**
   * @param {ApiKey} key
   * @param {number} graceHours
   * @param {string} idempotencyKey
   */
  async rotateApiKey(key, graceHours, idempotencyKey) {
    return /** @type {ApiKeyIssued} */ (await this.#session.call('POST', `${KEYS}/${key.prefix}/rotate`, { body: { graceHours }, idempotencyKey }));
  }

  /** @param {ApiKey} key */
  async revokeApiKey(key) {
    await this.#session.call('DELETE', `${KEYS}/${key.prefix}`);
  }
}
