/** @import { Schemas } from '../app/types.d.ts' */
/** @import { Session } from '../app/session.js' */

/** @typedef {Schemas['AuditEvent']} AuditEvent */
/** @typedef {Schemas['AuditProof']} AuditProof */
/** @typedef {Schemas['AuditVerification']} AuditVerification */
/** @typedef {Schemas['AuditCheckpoint']} AuditCheckpoint */

/** The operations of the audit page, by their names in the contract. */
export class Api {
  /** @type {Session} */ #session;

  /** @param {Session} session */
  constructor(session) {
    this.#session = session;
  }

  /**
   * @param {Readonly<Record<string, string | readonly string[]>>} filter empty values ask for nothing
   * @param {string | null} cursor
   */
  async listAuditEvents(filter, cursor) {
    const query = new URLSearchParams({ limit: '25' });
    for (const [name, value] of Object.entries(filter)) for (const one of [value].flat()) if (one !== '') query.append(name, one);
    if (cursor !== null) query.set('cursor', cursor);
    return /** @type {Schemas['AuditEventList']} */ (await this.#session.call('GET', `/v1/audit/events?${query}`));
  }

  /** @param {string} eventId */
  async getAuditEventProof(eventId) {
    return /** @type {AuditProof} */ (await this.#session.call('GET', `/v1/audit/events/${eventId}/proof`));
  }

  /** @param {Schemas['AuditVerifyRequest']} body */
  async verifyAuditLog(body) {
    return /** @type {AuditVerification} */ (await this.#session.call('POST', '/v1/audit/verify', { body }));
  }

  /** @param {string | null} cursor */
  async listAuditCheckpoints(cursor) {
    const query = new URLSearchParams({ limit: '10', ...(cursor !== null && { cursor }) });
    return /** @type {Schemas['AuditCheckpointList']} */ (await this.#session.call('GET', `/v1/audit/checkpoints?${query}`));
  }
}
