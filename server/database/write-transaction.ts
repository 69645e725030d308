import type { ActingTenant } from './acting-tenant.ts';
import { compile, heard } from './connection.ts';
import { arrive } from './contention.ts';
import type { Answer, Connection, Query } from './connection.ts';
import { DatabaseUnavailable, TransactionRolledBack, UnexpectedRowCount } from './errors.ts';
import type { Compilable, Statement, Values } from './statement.ts';
import type { Transaction } from './transaction.ts';

/** COMMIT then returns, and releases its locks, as soon as its record is written, in the order of the log but not yet on disk. */
const releaseEarly: Query = { name: 'transaction.releaseEarly', text: `SELECT set_config('synchronous_commit', 'off', true)` };

/** A tiny transaction that waits for the disk, and with it everything that was committed before: one wait serves many. */
const flush: Query = { name: 'transaction.flush', text: `SELECT pg_logical_emit_message(true, 'flush', '')` };

export class WriteTransaction implements Transaction {
  readonly tenantId: string | null;
  readonly #connection: Connection;
  readonly #tenant: ActingTenant;
  readonly #last: (() => void)[] = [];
  /** Statements whose row count decides, and which therefore must be answered before COMMIT is sent. */
  readonly #decisive: Promise<unknown>[] = [];
  /** Tenants whose contended rows this transaction takes. */
  readonly #contended = new Set<string>();
  #late = false;
  #begun = false;
  #ended = false;

  constructor(connection: Connection, tenant: ActingTenant) {
    this.#connection = connection;
    this.#tenant = tenant;
    this.tenantId = tenant.now;
  }

  run<V extends Values, Row>(statement: Statement<V, Row>, values: V): Promise<Row[]> {
    return heard(this.#execute(statement, statement.bind(values)).then((answer) => answer.rows));
  }

  count<V extends Values, Row>(statement: Statement<V, Row>, values: V): Promise<number> {
    return heard(this.#execute(statement, statement.bind(values)).then((answer) => answer.rowCount ?? 0));
  }

  query<Row>(query: Compilable): Promise<Row[]> {
    return heard(this.#send<Row>(compile(query)).then((answer) => answer.rows));
  }

  atEnd<V extends Values, Row>(statement: Statement<V, Row>, values: V): void {
    const bound = statement.bind(values);
    const tenantId = this.#tenant.now;
    this.#note(statement);
    this.#last.push(() => this.#tenant.during(tenantId, () => void this.#execute(statement, bound)));
  }

  within(tenantId: string): Transaction {
    return this.#tenant.view(this, tenantId);
  }

  /** Returns when the transaction is on disk. A crash before that undoes it, and with it whatever was committed after it. */
  async commit(): Promise<void> {
    const { othersWait, leave } = arrive(this.#contended);
    try {
      await this.#commit(othersWait && !this.#late);
    } finally {
      leave();
    }
  }

  /** COMMIT may follow a failed statement: PostgreSQL then answers it by ROLLBACK, and so does this by the cause. */
  async #commit(early: boolean): Promise<void> {
    // It would, however, commit a statement that touched no row where it had to touch one.
    await Promise.all(this.#decisive.splice(0));
    if (early) void heard(this.#send(releaseEarly));
    for (const send of this.#last) send();
    if (this.#decisive.length > 0) await Promise.all(this.#decisive);
    const commit = this.#sendCommit();
    const flushed = early ? lasting(this.#connection.send(flush)) : null;
    await this.#connection.allAnswered();
    const tag = await commit;
    await flushed;
    if (tag !== 'COMMIT') throw this.#connection.failure ?? new TransactionRolledBack(`COMMIT was answered by ${tag}`);
  }

  /** The reason why the connection cannot be used again, if there is one. */
  async rollback(): Promise<Error | undefined> {
    let unusable: Error | undefined;
    if (this.#begun && !this.#ended && !this.#connection.broken) {
      this.#ended = true;
      await this.#connection.send({ text: 'ROLLBACK' }).catch((error: unknown) => {
        unusable = error as Error;
      });
    }
    await this.#connection.allAnswered();
    return unusable;
  }

  #sendCommit(): Promise<string> {
    this.#ended = true;
    // Nothing was sent: there is nothing to commit, and the server need not hear of it.
    if (!this.#begun) return Promise.resolve('COMMIT');
    return heard(lasting(this.#connection.send({ text: 'COMMIT' })).then(({ command }) => command));
  }

  #note({ release }: Pick<Statement<never, unknown>, 'release'>): void {
    if (release === 'late') this.#late = true;
    if (release === 'early' && this.#tenant.now !== null) this.#contended.add(this.#tenant.now);
  }

  #execute<Row>(statement: Statement<never, Row>, values: unknown[]): Promise<Answer<Row>> {
    const { name, text, expectRows } = statement;
    this.#note(statement);
    const sent = this.#send<Row>({ name, text, values });
    if (expectRows === null) return sent;
    const checked = heard(sent.then((answer) => {
      if (answer.rowCount === expectRows) return answer;
      throw new UnexpectedRowCount(`${name} touched ${answer.rowCount} rows instead of ${expectRows}`);
    }));
    this.#decisive.push(checked);
    return checked;
  }

  #send<Row>(query: Query): Promise<Answer<Row>> {
    if (this.#ended) return Promise.reject(new Error('the transaction has ended'));
    if (!this.#begun) {
      this.#begun = true;
      this.#connection.begin('READ WRITE', this.#tenant.now);
    }
    this.#connection.setTenant(this.#tenant.now);
    return this.#connection.send<Row>(query);
  }
}

/** The answer to what makes a transaction last. Without one, nobody knows whether it happened. */
function lasting<Row>(answer: Promise<Answer<Row>>): Promise<Answer<Row>> {
  return heard(answer.catch((error: unknown): never => {
    throw error instanceof DatabaseUnavailable ? new DatabaseUnavailable(error.message, { cause: error, outcomeUnknown: true }) : error;
  }));
}
