/** @import { Schemas } from '../app/types.d.ts' */
/** @import { Session } from '../app/session.js' */

/** What people do with their own account, by the names of the contract. */
export class Api {
  /** @type {Session} */ #session;

  /** @param {Session} session */
  constructor(session) {
    this.#session = session;
  }

  /** @param {string} password */
  async enrollTotp(password) {
    return /** @type {Schemas['TotpEnrolment']} */ (await this.#session.call('POST', '/v1/auth/totp/enroll', { body: { password } }));
  }

  /** @param {string} code */
  async confirmTotp(code) {
    return /** @type {Schemas['RecoveryCodes']} */ (await this.#session.call('POST', '/v1/auth/totp/confirm', { body: { code } }));
  }

  /** @param {Schemas['TotpDisableRequest']} body */
  async disableTotp(body) {
    await this.#session.call('POST', '/v1/auth/totp/disable', { body });
  }

  /** @param {Schemas['PasswordChange']} body */
  async changePassword(body) {
    await this.#session.call('POST', '/v1/auth/password/change', { body });
  }
}
