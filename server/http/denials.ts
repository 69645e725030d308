import { auditActorOf } from '../contract/actor.ts';
import type { Operation } from '../contract/operation.ts';
import { appendAudit, type Database } from '../database/index.ts';
import type { Exchange } from './exchange.ts';
import type { Logger } from './log.ts';
import type { Problem } from './problem.ts';

/** Records that a valid credential was refused, in the same shape as what succeeds. */
export class Denials {
  readonly #database: Database;
  readonly #clock: () => Date;
  readonly #log: Logger;

  constructor(database: Database, clock: () => Date, log: Logger) {
    this.#database = database;
    this.#clock = clock;
    this.#log = log;
  }

  async record({ operationId }: Operation, { caller, requestId, clientIp, userAgent }: Exchange, denial: Problem): Promise<void> {
    if (caller === null) return;
    const { principal, environment } = caller;
    try {
      await this.#database.transaction({ tenantId: principal.tenantId }, async (tx) => appendAudit(tx, {
        occurredAt: this.#clock().toISOString(), environment, action: 'access.denied', outcome: 'denied', reason: denial.code,
        actor: auditActorOf(principal),
        resource: { type: 'operation', id: operationId }, requestId, ip: clientIp, userAgent,
      }));
    } catch (error) {
      // The refusal stands whether or not it can be written down.
      this.#log.error({ requestId, err: error }, 'a denial could not be recorded');
    }
  }
}
