/**
 * A connection of the pool on which statements are sent without waiting for earlier responses. Used by the
 * transactions. After a statement has failed, the later ones fail as its consequence.
 */
import pg from 'pg';
import type { Pool, PoolClient, QueryResult } from 'pg';
import { isConsequence, translate } from './errors.ts';
import type { Compilable } from './statement.ts';
import type { ActingTenant } from './transaction.ts';

export interface Query {
  readonly name?: string | undefined;
  readonly text: string;
  readonly values?: unknown[] | undefined;
}

export type StatementResult<Row> = QueryResult<Row & object>;

/**
 * Maximum wait for the server. The role's own statement_timeout is shorter, so this limit only ends the wait for a
 * server that hangs.
 */
const ANSWER_MILLISECONDS = 20_000;

/** A connection on loan from the pool, on which statements are pipelined: sent without waiting for answers. */
export class Connection {
  readonly #client: PoolClient;
  #unanswered = 0;
  #onAllAnswered: (() => void)[] = [];
  #deadline: NodeJS.Timeout | null = null;
  readonly #beforeWrite: (() => void)[] = [];
  #isBatching = false;
  #tenantId: string | null = null;
  #failure: unknown = null;
  #broken: Error | null = null;
  readonly #onError = (error: Error): void => {
    this.#broken = error;
  };

  constructor(client: PoolClient) {
    this.#client = client;
    // The pool listens for errors only while a client is idle; without this listener a broken connection would end the
    // process.
    client.on('error', this.#onError);
  }

  static async from(pool: Pool): Promise<Connection> {
    try {
      return new Connection(await pool.connect());
    } catch (error) {
      throw translate(error);
    }
  }

  /** First failure that is not merely the consequence of an earlier one. */
  get failure(): unknown {
    return this.#failure;
  }

  get broken(): boolean {
    return this.#broken !== null;
  }

  send<Row>(query: Query): Promise<StatementResult<Row>> {
    this.#batch();
    this.#unanswered++;
    this.#deadline ??= setTimeout(
      () => this.#client.connection.stream.destroy(new Error('Query read timeout')),
      ANSWER_MILLISECONDS,
    );
    // With a callback the driver creates neither a promise nor a timer of its own for each statement.
    return markHandled(
      new Promise((resolve, reject) => {
        this.#client.query<Row & object>(query, (error: Error | null | undefined, result) => {
          if (error) reject(this.#failed(error, query));
          else resolve(result);
          this.#answered();
        });
      }),
    );
  }

  /**
   * Adds the name of the statement to a driver's error for the log, because the stack of the error ends at the socket.
   */
  #failed(error: Error, { name }: Query): unknown {
    const cause = translate(error);
    if (name !== undefined && cause instanceof Error) Object.assign(cause, { statement: name });
    if (this.#failure === null && !isConsequence(cause)) this.#failure = cause;
    return cause;
  }

  #answered(): void {
    if (--this.#unanswered > 0) return void this.#deadline?.refresh();
    if (this.#deadline !== null) clearTimeout(this.#deadline);
    this.#deadline = null;
    for (const resolve of this.#onAllAnswered.splice(0)) resolve();
  }

  /** Calls `work` once, after the last statement that can be sent without waiting and before the batch is written. */
  beforeWrite(work: () => void): void {
    this.#batch();
    this.#beforeWrite.push(work);
  }

  /**
   * Begins the transaction and sets the tenant and the audit log, which row-level security reads, until its end. All
   * are one message.
   */
  begin(mode: 'READ ONLY' | 'READ WRITE', { now: tenantId, auditChain }: ActingTenant): void {
    this.#tenantId = tenantId;
    const tenant = tenantId === null ? '' : `; SET LOCAL app.tenant_id = ${pg.escapeLiteral(tenantId)}`;
    const chain = auditChain === 'open' ? '' : `; SET LOCAL app.audit_chain = ${pg.escapeLiteral(auditChain)}`;
    void this.send({ text: `BEGIN ${mode}${tenant}${chain}` });
  }

  /** Sets the tenant from the next statement on; an empty setting means no tenant. */
  setTenant(tenantId: string | null): void {
    if (tenantId === this.#tenantId) return;
    this.#tenantId = tenantId;
    void this.send({ text: `SET LOCAL app.tenant_id = ${pg.escapeLiteral(tenantId ?? '')}` });
  }

  allAnswered(): Promise<void> {
    return this.#unanswered === 0
      ? Promise.resolve()
      : new Promise((resolve) => void this.#onAllAnswered.push(resolve));
  }

  /**
   * Writes all statements that do not wait for one another in one batch. The tick runs when no promise is left to
   * continue (see "Event loop order of operations" in the documentation of process.nextTick).
   */
  #batch(): void {
    if (this.#isBatching) return;
    this.#isBatching = true;
    const { stream } = this.#client.connection;
    stream.cork();
    process.nextTick(() => {
      for (const work of this.#beforeWrite.splice(0)) work();
      this.#isBatching = false;
      stream.uncork();
    });
  }

  /** Returns the connection to the pool, which closes it if it is broken or `unusable`. */
  release(unusable?: Error): void {
    this.#client.off('error', this.#onError);
    this.#client.release(this.#broken ?? unusable);
  }
}

/**
 * Marks a promise as handled. The failure of a statement that is not awaited appears at COMMIT; without a handler it
 * would end the process before that.
 */
export function markHandled<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => {});
  return promise;
}

export function compile(query: Compilable): Query {
  const { sql: text, bindings } = query.toSQL().toNative();
  return { text, values: [...bindings] };
}
