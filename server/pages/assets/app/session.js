/** This module keeps the tokens of the signed-in person in memory, refreshes them and sends requests with them. */
import { el } from '../dom.js';
import { ApiError, request } from './api.js';
import { openDialog } from './components.js';
import { apiForm, codeField } from './form.js';
/** @import { ApiError as Refusal, RequestOptions } from './api.js' */
/** @import { CurrentUser, TokenPair } from './types.d.ts' */

/**
 * Asks for a code of the authenticator and repeats a call with it, until it is accepted or the user gives up. The code
 * counts for a while, so the next such calls pass without a question.
 * @param {(code: string) => Promise<unknown>} repeat
 * @param {Refusal} refusal
 * @returns {Promise<unknown>}
 */
function askForCode(repeat, refusal) {
  return new Promise((resolve, reject) => {
    const code = codeField('/X-TOTP-Code');
    let settled = false;
    openDialog('Confirm that it is you', (close) => [
      el('p', { class: 'muted' }, 'This needs a fresh code of your authenticator. It counts for five minutes.'),
      apiForm({
        fields: [code],
        action: 'Confirm',
        cancel: close,
        submit: async () => {
          if (!/^\d{6}$/.test(code.value())) throw wrongCode(refusal);
          try {
            const answer = await repeat(code.value());
            settle(() => resolve(answer));
          } catch (error) {
            if (error instanceof ApiError && error.code === 'step_up_required') throw wrongCode(error);
            settle(() => reject(error));
          }
          close();
        },
      }),
      el('p', { class: 'hint' }, 'No authenticator yet? Enrol one under Account first.'),
    ], { onclose: () => settle(() => reject(new ApiError(refusal.problem, 'Not done: it needs a code of your authenticator.'))) });

    /** @param {() => void} outcome */
    function settle(outcome) {
      if (!settled) outcome();
      settled = true;
    }
  });
}

/** @param {Refusal} error */
function wrongCode({ problem }) {
  const errors = [{ pointer: '/X-TOTP-Code', code: 'invalid_totp_code', message: 'Wrong, or used before. Wait for the next code.' }];
  return new ApiError(problem && { ...problem, errors }, 'The code was not accepted.');
}

/** Refreshed this long before it expires, so that a request under way does not outlive its token. */
const MARGIN_MS = 30_000;

/** @typedef {Omit<RequestOptions, 'token'>} CallOptions */

/**
 * A signed-in user. The tokens are held in this object and nowhere else: not in storage, not in a cookie. Closing or
 * reloading the page signs out.
 */
export class Session {
  /** @type {TokenPair | null} */ #tokens;
  #expiresAt = 0;
  /** @type {Promise<void> | null} */ #refreshing = null;
  /** Called once when the session has ended by itself. @type {(reason: string) => void} */
  onend = () => {};

  /** @param {TokenPair} tokens */
  constructor(tokens) {
    this.#tokens = tokens;
    this.#keep(tokens);
  }

  async user() {
    return /** @type {CurrentUser} */ (await this.call('GET', '/v1/auth/me'));
  }

  async signOut() {
    const token = this.#tokens?.accessToken;
    this.#tokens = null;
    if (token !== undefined) await request('POST', '/v1/auth/logout', { token });
  }

  /**
   * A call of the API. Where it needs a fresh second factor, the user is asked for a code and it is repeated with that.
   * @param {string} method
   * @param {string} path
   * @param {CallOptions} [options]
   * @returns {Promise<unknown>}
   */
  async call(method, path, options = {}) {
    try {
      return await this.#authorised(method, path, options);
    } catch (error) {
      if (!(error instanceof ApiError && error.code === 'step_up_required')) throw error;
      return askForCode((totpCode) => this.#authorised(method, path, { ...options, totpCode }), error);
    }
  }

  /**
   * @param {string} method
   * @param {string} path
   * @param {CallOptions} options
   */
  async #authorised(method, path, options) {
    if (Date.now() > this.#expiresAt - MARGIN_MS) await this.#refresh();
    try {
      return await request(method, path, { ...options, token: this.#accessToken() });
    } catch (error) {
      // The clock of this computer may be wrong, so the service has the last word on expiry.
      if (!(error instanceof ApiError && error.problem?.status === 401)) throw error;
      await this.#refresh();
      return request(method, path, { ...options, token: this.#accessToken() });
    }
  }

  /** One refresh at a time: a refresh token is good for one use. */
  #refresh() {
    return (this.#refreshing ??= this.#renew().finally(() => { this.#refreshing = null; }));
  }

  async #renew() {
    try {
      this.#keep(/** @type {TokenPair} */ (await request('POST', '/v1/auth/refresh', { body: { refreshToken: this.#tokens?.refreshToken } })));
    } catch (error) {
      if (error instanceof ApiError && error.problem !== null && error.problem.status < 429) this.#end();
      throw error;
    }
  }

  /** @param {TokenPair} tokens */
  #keep(tokens) {
    this.#tokens = tokens;
    this.#expiresAt = Date.now() + tokens.expiresIn * 1000;
  }

  #accessToken() {
    if (this.#tokens === null) throw new ApiError(null, 'You are signed out.');
    return this.#tokens.accessToken;
  }

  #end() {
    if (this.#tokens === null) return;
    this.#tokens = null;
    this.onend('Your session has ended. Sign in again.');
  }
}
