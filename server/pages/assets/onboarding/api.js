/** @import { Schemas } from '../app/types.d.ts' */
/** @import { Session } from '../app/session.js' */

/** @typedef {Schemas['Checklist']} Checklist */
/** @typedef {Schemas['ChecklistStep']} Step */

/** The operations of the onboarding page, by their names in the contract. */
export class Api {
  /** @type {Session} */ #session;

  /** @param {Session} session */
  constructor(session) {
    this.#session = session;
  }

  async getOnboardingChecklist() {
    return /** @type {Checklist} */ (await this.#session.call('GET', '/v1/onboarding/checklist'));
  }

  /**
   * @param {string} stepKey
   * @param {{ reason: string } | { restore: true }} body
   */
  async dismissChecklistStep(stepKey, body) {
    return /** @type {Step} */ (await this.#session.call('POST', `/v1/onboarding/checklist/${stepKey}/dismiss`, { body }));
  }

  /** @param {string} note */
  async goLive(note) {
    return /** @type {Schemas['TenantSummary']} */ (await this.#session.call('POST', '/v1/onboarding/go-live', { body: note === '' ? {} : { note } }));
  }
}
