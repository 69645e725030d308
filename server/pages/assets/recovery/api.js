/** @import { Schemas } from '../app/types.d.ts' */
/** @import { Session } from '../app/session.js' */

const RECOVERIES = '/api/v1/funds-recovery';
const DIRECTORY = '/v1/sandbox/funds-recovery';

/** The operations of the page of recoveries. None of them acknowledges anything of the feed: looking on changes nothing for anybody. */
export class Api {
  /** @type {Session} */ #session;

  /** @param {Session} session */
  constructor(session) {
    this.#session = session;
  }

  /**
   * The last changed first.
   * @param {Schemas['Environment']} environment
   * @param {number} limit
   */
  async listFundsRecoveries(environment, limit) {
    return /** @type {Schemas['FundsRecoveryRecordList']} */ (await this.#session.call('GET', `${RECOVERIES}?environment=${environment}&limit=${limit}`));
  }

  /** All events of a recovery so far. @param {string} id */
  async timelineOf(id) {
    /** @type {Schemas['FundsRecoveryEvent'][]} */ const events = [];
    /** @type {Schemas['FundsRecoveryEventList']} */ let page;
    let cursor = '';
    do {
      page = /** @type {Schemas['FundsRecoveryEventList']} */ (await this.#session.call('GET', `${RECOVERIES}/${id}/events${cursor}`));
      events.push(...page.events);
      cursor = `?cursor=${encodeURIComponent(page.cursor ?? '')}`;
    } while (page.hasMore);
    return events;
  }

  async listRecoveryScenarios() {
    return /** @type {Schemas['RecoveryScenarioList']} */ (await this.#session.call('GET', `${DIRECTORY}/scenarios`));
  }

  /**
   * @param {Schemas['ScenarioStart']} body
   * @param {string} idempotencyKey
   */
  async startRecoveryScenario(body, idempotencyKey) {
    return /** @type {Schemas['ScenarioRun']} */ (await this.#session.call('POST', `${DIRECTORY}/scenarios`, { body, idempotencyKey }));
  }

  /**
   * @param {string} runId
   * @param {Schemas['RunAdvance']} body
   * @param {string} idempotencyKey
   */
  async advanceRecoveryRun(runId, body, idempotencyKey) {
    return /** @type {Schemas['ScenarioRun']} */ (await this.#session.call('POST', `${DIRECTORY}/runs/${runId}/advance`, { body, idempotencyKey }));
  }

  /**
   * @param {Schemas['DirectoryFault']} body
   * @param {string} idempotencyKey
   */
  async armDirectoryFault(body, idempotencyKey) {
    return /** @type {Schemas['ArmedFault']} */ (await this.#session.call('POST', `${DIRECTORY}/faults`, { body, idempotencyKey }));
  }
}
