/**
 * A transaction that writes. Used by pipelined-transaction.ts for every change. Throws if a statement changes another
 * number of rows than expected, and rolls back everything.
 */
import { compile, type Connection, markHandled, type Query, type StatementResult } from './connection.ts';
import { DatabaseUnavailable, TransactionRolledBack, UnexpectedRowCount } from './errors.ts';
import type { Compilable, Statement, Values } from './statement.ts';
import type { ActingTenant, AuditChain, Transaction } from './transaction.ts';

/**
 * Number of transactions of this process, by key, that are about to lock a row which every transaction of their kind
 * needs.
 */
const contenders = new Map<string, number>();

/**
 * Registers a transaction for these keys until `leave` is called. Tells whether others are registered for one of them.
 */
export function registerContender(keys: Iterable<string>): {
  readonly othersWait: boolean;
  readonly leave: () => void;
} {
  const registered = [...keys];
  let othersWait = false;
  for (const key of registered) {
    const others = contenders.get(key) ?? 0;
    othersWait ||= others > 0;
    contenders.set(key, others + 1);
  }
  return {
    othersWait,
    leave() {
      for (const key of registered) {
        const left = (contenders.get(key) ?? 0) - 1;
        if (left > 0) contenders.set(key, left);
        else contenders.delete(key);
      }
    },
  };
}

/**
 * COMMIT of a contended transaction. After a contended statement has set `synchronous_commit` to off, COMMIT releases
 * its locks as soon as its record is in the log, in order but not yet on disk. The message is a tiny transaction of its
 * own that waits for the disk, and with it for everything that was committed before. So one wait serves all
 * transactions that commit meanwhile, and none returns before it is on disk.
 */
const COMMIT_AND_FLUSH = `COMMIT; SELECT pg_logical_emit_message(true, 'flush', '')`;

/** A transaction that may change rows. Statements registered with `beforeCommit` are sent with COMMIT. */
export class WriteTransaction implements Transaction {
  readonly tenantId: string | null;
  readonly auditChain: AuditChain;
  readonly #connection: Connection;
  readonly #tenant: ActingTenant;
  readonly #beforeCommitQueue: {
    readonly tenantId: string;
    readonly isContended: boolean;
    readonly send: (contended: boolean) => void;
  }[] = [];
  /** Results of statements whose row count must be checked before COMMIT is sent. */
  readonly #checked: Promise<unknown>[] = [];
  /** Tenants whose contended rows this transaction locks with its last statements. */
  readonly #contended = new Set<string>();
  #durable = false;
  #isOpen = false;
  #isEnded = false;

  constructor(connection: Connection, tenant: ActingTenant) {
    this.#connection = connection;
    this.#tenant = tenant;
    this.tenantId = tenant.now;
    this.auditChain = tenant.auditChain;
  }

  run<V extends Values, Row>(statement: Statement<V, Row>, values: V): Promise<Row[]> {
    return markHandled(this.#execute<Row>(statement, statement.bind(values)).then((answer) => answer.rows));
  }

  count<V extends Values, Row>(statement: Statement<V, Row>, values: V): Promise<number> {
    return markHandled(this.#execute(statement, statement.bind(values)).then((answer) => answer.rowCount ?? 0));
  }

  query<Row>(query: Compilable): Promise<Row[]> {
    return markHandled(this.#send<Row>(compile(query)).then((answer) => answer.rows));
  }

  beforeCommit<V extends Values, Row>(statement: Statement<V, Row>, values: V): void {
    const bound = statement.bind(values);
    const tenantId = this.#tenant.now;
    if (statement.contended !== null && tenantId !== null) this.#contended.add(tenantId);
    this.#durable ||= statement.durable;
    this.#beforeCommitQueue.push({
      tenantId: tenantId ?? '',
      isContended: statement.contended !== null,
      send: (contended) =>
        this.#tenant.runAs(tenantId, () => {
          void this.#execute(
            contended && statement.contended !== null ? { ...statement, ...statement.contended } : statement,
            bound,
          );
        }),
    });
  }

  tenantKey(purpose: string): Buffer {
    return this.#tenant.keyOf(this.tenantId, purpose);
  }

  within(tenantId: string): Transaction {
    return this.#tenant.view(this, tenantId);
  }

  /**
   * Commits. Returns when the transaction is on disk. A crash before that undoes the transaction and everything that
   * was committed after it.
   */
  async commit(): Promise<void> {
    const { othersWait, leave } = registerContender(this.#contended);
    try {
      await this.#commit(othersWait && !this.#durable);
    } finally {
      leave();
    }
  }

  /**
   * Sends COMMIT, even after a failed statement: PostgreSQL then answers with ROLLBACK, and this function throws the
   * cause.
   */
  async #commit(contended: boolean): Promise<void> {
    // COMMIT would, however, succeed after a statement that changed no row although it had to change one.
    await Promise.all(this.#checked.splice(0));
    // Tenants, and the rows that each of them locks, are sorted, so that transactions which end with the same rows
    // never wait for each other in a deadlock.
    this.#beforeCommitQueue.sort((a, b) => {
      if (a.tenantId === b.tenantId) return Number(a.isContended) - Number(b.isContended);
      return a.tenantId < b.tenantId ? -1 : 1;
    });
    for (const { send } of this.#beforeCommitQueue) send(contended);
    if (this.#checked.length > 0) await Promise.all(this.#checked);
    const commit = this.#sendCommit(contended ? COMMIT_AND_FLUSH : 'COMMIT');
    await this.#connection.allAnswered();
    const tag = await commit;
    if (tag !== 'COMMIT') throw this.#connection.failure ?? new TransactionRolledBack(`COMMIT was answered by ${tag}`);
  }

  /** Rolls back. Returns the reason why the connection cannot be used again, if there is one. */
  async rollback(): Promise<Error | undefined> {
    let unusable: Error | undefined;
    if (this.#isOpen && !this.#isEnded && !this.#connection.broken) {
      this.#isEnded = true;
      await this.#connection.send({ text: 'ROLLBACK' }).catch((error: unknown) => {
        unusable = error as Error;
      });
    }
    await this.#connection.allAnswered();
    return unusable;
  }

  #sendCommit(text: string): Promise<string> {
    this.#isEnded = true;
    // No statement was sent, so there is nothing to commit.
    if (!this.#isOpen) return Promise.resolve('COMMIT');
    return markHandled(
      this.#connection.send({ text }).then(
        (answer) => tagOf(answer),
        (error: unknown) => {
          throw error instanceof DatabaseUnavailable
            ? new DatabaseUnavailable(error.message, { cause: error, outcomeUnknown: true })
            : error;
        },
      ),
    );
  }

  #execute<Row>(
    { name, text, expectRows, durable }: Pick<Statement<never, unknown>, 'name' | 'text' | 'expectRows' | 'durable'>,
    values: unknown[],
  ): Promise<StatementResult<Row>> {
    this.#durable ||= durable;
    const sent = this.#send<Row>({ name, text, values });
    if (expectRows === null) return sent;
    const checked = markHandled(
      sent.then((answer) => {
        if (answer.rowCount === expectRows) return answer;
        throw new UnexpectedRowCount(`${name} touched ${answer.rowCount} rows instead of ${expectRows}`);
      }),
    );
    this.#checked.push(checked);
    return checked;
  }

  #send<Row>(query: Query): Promise<StatementResult<Row>> {
    if (this.#isEnded) return Promise.reject(new Error('the transaction has ended'));
    if (!this.#isOpen) {
      this.#isOpen = true;
      this.#connection.begin('READ WRITE', this.#tenant);
    }
    this.#connection.setTenant(this.#tenant.now);
    return this.#connection.send<Row>(query);
  }
}

/**
 * Returns the tag of the first result. Several statements in one message have several results, and COMMIT is the first.
 */
function tagOf(answer: StatementResult<unknown> | readonly StatementResult<unknown>[]): string {
  return (Array.isArray(answer) ? (answer[0] as StatementResult<unknown>) : (answer as StatementResult<unknown>))
    .command;
}
