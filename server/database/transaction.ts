import type { Pool, PoolClient, QueryResult } from 'pg';
import { DatabaseUnavailable, TransactionRolledBack, UnexpectedRowCount, isConsequence, translate } from './errors.ts';
import type { Compilable, Statement, Values } from './statement.ts';

export interface Transaction {
  /** The tenant whose rows are visible; null only for platform work. */
  readonly tenantId: string | null;
  /** Sends a compiled statement; its rows. Need not be awaited: a failure then shows at the end. */
  run<V extends Values, Row>(statement: Statement<V, Row>, values: V): Promise<Row[]>;
  /** The same, for the number of rows it touched. */
  count<V extends Values, Row>(statement: Statement<V, Row>, values: V): Promise<number>;
  /** Sends what Knex has just built: lists with optional filters. */
  query<Row>(query: Compilable): Promise<Row[]>;
  /** Sent together with COMMIT, in order, after everything else: audit and idempotency rows. */
  atEnd<V extends Values, Row>(statement: Statement<V, Row>, values: V): void;
}

export interface TransactionOptions {
  readonly tenantId: string | null;
  readonly readOnly?: boolean;
}

interface Query {
  readonly name?: string;
  readonly text: string;
  readonly values?: unknown[];
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/**
 * Runs `work` in one transaction. Statements are pipelined: BEGIN and the tenant travel with the first one,
 * what is registered with `atEnd` travels with COMMIT. Returns only after COMMIT was answered by COMMIT.
 */
export async function transaction<T>(pool: Pool, options: TransactionOptions, work: (tx: Transaction) => Promise<T>): Promise<T> {
  if (options.tenantId !== null && !uuid.test(options.tenantId)) throw new TypeError('a tenant id is a lower-case UUID');
  const client = await connect(pool);
  const session = new Session(client, options);
  let result: T;
  try {
    result = await work(session);
    if (options.readOnly !== true) await session.commit();
  } catch (error) {
    await session.rollback();
    session.release();
    throw session.explain(error);
  }
  // Nothing depends on the end of a transaction that only read: the caller need not wait for it.
  if (options.readOnly === true) void session.rollback().then(() => session.release());
  else session.release();
  return result;
}

async function connect(pool: Pool): Promise<PoolClient> {
  try {
    return await pool.connect();
  } catch (error) {
    throw translate(error);
  }
}

class Session implements Transaction {
  readonly tenantId: string | null;
  readonly #client: PoolClient;
  readonly #readOnly: boolean;
  readonly #unanswered = new Set<Promise<unknown>>();
  readonly #last: (() => Promise<unknown>)[] = [];
  /** Statements whose row count decides, and which therefore must answer before COMMIT is sent. */
  #decisive: Promise<unknown>[] = [];
  #begun = false;
  #ended = false;
  #failure: unknown = null;
  #broken: Error | null = null;
  readonly #onError = (error: Error): void => {
    this.#broken = error;
  };

  constructor(client: PoolClient, options: TransactionOptions) {
    this.#client = client;
    this.tenantId = options.tenantId;
    this.#readOnly = options.readOnly ?? false;
    // The pool listens only while a client is idle; unheard, a broken connection would end the process.
    client.on('error', this.#onError);
  }

  run<V extends Values, Row>(statement: Statement<V, Row>, values: V): Promise<Row[]> {
    return heard(this.#execute<Row>(statement, statement.bind(values)).then((result) => result.rows));
  }

  count<V extends Values, Row>(statement: Statement<V, Row>, values: V): Promise<number> {
    return heard(this.#execute(statement, statement.bind(values)).then((result) => result.rowCount ?? 0));
  }

  query<Row>(query: Compilable): Promise<Row[]> {
    const { sql: text, bindings } = query.toSQL().toNative();
    return heard(this.#send<Row>({ text, values: [...bindings] }).then((result) => result.rows));
  }

  atEnd<V extends Values, Row>(statement: Statement<V, Row>, values: V): void {
    const bound = statement.bind(values);
    this.#last.push(() => this.#execute(statement, bound));
  }

  async commit(): Promise<void> {
    // COMMIT may follow a statement that failed, and is then answered by ROLLBACK; but it would also commit
    // one that touched no row where it had to touch one.
    await Promise.all(this.#decisive.splice(0));
    let commit = this.#together(() => this.#finish());
    if (commit === null) {
      await Promise.all(this.#decisive);
      commit = this.#begun ? this.#sendCommit() : null;
    }
    if (commit === null) return;
    await Promise.allSettled(this.#unanswered);
    let tag: string;
    try {
      tag = (await commit).command;
    } catch (error) {
      const cause = translate(error);
      throw cause instanceof DatabaseUnavailable ? new DatabaseUnavailable(cause.message, { cause, outcomeUnknown: true }) : cause;
    }
    if (tag !== 'COMMIT') throw this.#failure ?? new TransactionRolledBack(`COMMIT was answered by ${tag}`);
  }

  /** Null when COMMIT must wait for the row count of a last statement, or when nothing was ever sent. */
  #finish(): Promise<QueryResult> | null {
    this.#last.forEach((send) => void send());
    return this.#begun && this.#decisive.length === 0 ? this.#sendCommit() : null;
  }

  #sendCommit(): Promise<QueryResult> {
    this.#ended = true;
    return this.#raw({ text: 'COMMIT' });
  }

  async rollback(): Promise<void> {
    if (this.#begun && !this.#ended && this.#broken === null) {
      this.#ended = true;
      try {
        await this.#raw({ text: 'ROLLBACK' });
      } catch (error) {
        this.#broken = error as Error;
      }
    }
    await Promise.allSettled(this.#unanswered);
  }

  release(): void {
    this.#client.off('error', this.#onError);
    this.#client.release(this.#broken ?? undefined);
  }

  /** The cause, when what was caught is only its consequence. */
  explain(error: unknown): unknown {
    return isConsequence(error) && this.#failure !== null ? this.#failure : error;
  }

  #execute<Row>(statement: Statement<never, Row>, values: unknown[]): Promise<QueryResult<Row & object>> {
    const { name, text, expectRows } = statement;
    const sent = this.#send<Row>({ name, text, values });
    if (expectRows === null) return sent;
    const checked = heard(sent.then((result) => {
      if (result.rowCount === expectRows) return result;
      throw new UnexpectedRowCount(`${name} touched ${result.rowCount} rows instead of ${expectRows}`);
    }));
    this.#decisive.push(checked);
    return checked;
  }

  #send<Row>(query: Query): Promise<QueryResult<Row & object>> {
    if (this.#ended) return heard(Promise.reject(new Error('the transaction has ended')));
    if (this.#begun) return this.#raw<Row>(query);
    this.#begun = true;
    return this.#together(() => {
      void this.#raw({ text: this.#readOnly ? 'BEGIN READ ONLY' : 'BEGIN' });
      if (this.tenantId !== null) {
        void this.#raw({ name: 'tenant', text: `SELECT set_config('app.tenant_id', $1, true)`, values: [this.tenantId] });
      }
      return this.#raw<Row>(query);
    });
  }

  /** One write to the socket for all that `send` sends. */
  #together<T>(send: () => T): T {
    const { stream } = this.#client.connection;
    stream.cork();
    try {
      return send();
    } finally {
      stream.uncork();
    }
  }

  #raw<Row>(query: Query): Promise<QueryResult<Row & object>> {
    const answer = this.#client.query<Row & object>(query).catch((error: unknown) => {
      const cause = translate(error);
      if (this.#failure === null && !isConsequence(cause)) this.#failure = cause;
      throw cause;
    });
    this.#unanswered.add(answer);
    const answered = (): void => void this.#unanswered.delete(answer);
    answer.then(answered, answered);
    return answer;
  }
}

/** A statement that nobody awaits shows its failure at COMMIT; unheard, it would end the process before. */
function heard<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => {});
  return promise;
}
