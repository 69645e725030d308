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
}
