/** @import { Schemas } from '../app/types.d.ts' */
/** @import { Session } from '../app/session.js' */

/** The operations of the sandbox page, by their names in the contract. */
export class Api {
  /** @type {Session} */ #session;

  /** @param {Session} session */
  constructor(session) {
    this.#session = session;
  }

  async getSandbox() {
    return /** @type {Schemas['SandboxStatus']} */ (await this.#session.call('GET', '/v1/sandbox'));
  }

  /**
   * @param {boolean} enabled
   * @param {string} idempotencyKey
   */
  async switchSandbox(enabled, idempotencyKey) {
    return /** @type {Schemas['SandboxStatus']} */ (await this.#session.call('POST', `/v1/sandbox/${enabled ? 'enable' : 'disable'}`, { idempotencyKey }));
  }

  async deleteSandboxData() {
    return /** @type {Schemas['SandboxReset']} */ (await this.#session.call('DELETE', '/v1/sandbox/data'));
  }

  /**
   * @param {Schemas['SimulationCreate']} body
   * @param {string} idempotencyKey
   */
  async createSimulation(body, idempotencyKey) {
    return /** @type {Schemas['Simulation']} */ (await this.#session.call('POST', '/v1/sandbox/simulations', { body, idempotencyKey }));
  }

  /**
   * An application of a persona, complete enough to be submitted.
   * @param {Schemas['SandboxPersona']} persona
   * @param {string} idempotencyKey
   */
  async createApplication({ name, taxId }, idempotencyKey) {
    const body = { purpose: 'account_opening', level: 'basic', applicant: { fullName: name, dateOfBirth: '1990-01-15', taxId: { type: 'cpf', value: taxId } } };
    return /** @type {Schemas['Application']} */ (await this.#session.call('POST', '/v1/applications', { body, idempotencyKey }));
  }

  /**
   * @param {Schemas['Application']} application
   * @param {string} idempotencyKey
   */
  async submitApplication({ id }, idempotencyKey) {
    return /** @type {Schemas['Application']} */ (await this.#session.call('POST', `/v1/applications/${id}/submit`, { idempotencyKey }));
  }
}
