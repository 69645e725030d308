/** @import { Schemas } from '../app/types.d.ts' */
/** @import { Session } from '../app/session.js' */

/** @typedef {Schemas['User']} User */
/** @typedef {{ q: string, role: string, status: string, mfaEnabled: string, sort: string }} Filter */

/** The operations of the team page, by their names in the contract. */
export class Api {
  /** @type {Session} */ #session;

  /** @param {Session} session */
  constructor(session) {
    this.#session = session;
  }

  /**
   * @param {Filter} filter empty texts ask for nothing
   * @param {string | null} cursor
   */
  async listUsers(filter, cursor) {
    const query = new URLSearchParams({ limit: '25' });
    for (const [name, value] of Object.entries({ ...filter, q: filter.q.trim() })) if (value !== '') query.set(name, value);
    if (cursor !== null) query.set('cursor', cursor);
    return /** @type {Schemas['UserList']} */ (await this.#session.call('GET', `/v1/users?${query}`));
  }

  /**
   * @param {Schemas['UserInvite']} body
   * @param {string} idempotencyKey
   */
  async createInvitation(body, idempotencyKey) {
    return /** @type {User} */ (await this.#session.call('POST', '/v1/users/invitations', { body, idempotencyKey }));
  }

  /** @param {string} invitationId */
  async revokeInvitation(invitationId) {
    await this.#session.call('DELETE', `/v1/users/invitations/${invitationId}`);
  }

  /**
   * @param {User} user
   * @param {Schemas['UserUpdate']} body
   */
  async updateUser(user, body) {
    return /** @type {User} */ (await this.#session.call('PATCH', `/v1/users/${user.id}`, { body, version: user.version }));
  }

  /**
   * @param {User} user
   * @param {string} reason
   */
  async resetUserMfa(user, reason) {
    return /** @type {User} */ (await this.#session.call('POST', `/v1/users/${user.id}/reset-mfa`, { body: { reason } }));
  }
}
