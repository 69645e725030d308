/** @import { Schemas } from '../app/types.d.ts' */
/** @import { Session } from '../app/session.js' */

/** @typedef {Schemas['TenantSettings']} TenantSettings */

/** The operations of the settings page, by their names in the contract. */
export class Api {
  /** @type {Session} */ #session;

  /** @param {Session} session */
  constructor(session) {
    this.#session = session;
  }

  async getSettings() {
    return /** @type {TenantSettings} */ (await this.#session.call('GET', '/v1/settings'));
  }

  /**
   * @param {number} version that was shown
   * @param {Readonly<Record<string, unknown>>} patch
   */
  async updateSettings(version, patch) {
    return /** @type {TenantSettings} */ (await this.#session.call('PATCH', '/v1/settings', { body: patch, version }));
  }
}
