/** @import { ApiKey, ApiKeyCreate, ApiKeyIssued, ApiKeyList, ApiKeyUpdate, SandboxReset, SandboxStatus, Scope } from './types.d.ts' */
/** @import { Session } from './session.js' */

const KEYS = '/v1/settings/api-keys';

/** The operations this page uses, by their names in the contract. */
export class Api {
  /** @type {Session} */ #session;

  /** @param {Session} session */
  constructor(session) {
    this.#session = session;
  }

  /** @param {{ ended: boolean, cursor?: string | null }} filter */
  async listApiKeys({ ended, cursor }) {
    const query = new URLSearchParams({ limit: '25' });
    for (const status of ended ? ['expired', 'revoked'] : ['active', 'rotating']) query.append('status', status);
    if (cursor) query.set('cursor', cursor);
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

  async getSandbox() {
    return /** @type {SandboxStatus} */ (await this.#session.call('GET', '/v1/sandbox'));
  }

  /**
   * @param {boolean} enabled
   * @param {string} idempotencyKey
   */
  async switchSandbox(enabled, idempotencyKey) {
    return /** @type {SandboxStatus} */ (await this.#session.call('POST', `/v1/sandbox/${enabled ? 'enable' : 'disable'}`, { idempotencyKey }));
  }

  async deleteSandboxData() {
    return /** @type {SandboxReset} */ (await this.#session.call('DELETE', '/v1/sandbox/data'));
  }
}
