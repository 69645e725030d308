/**
 * This file implements a transaction that takes a connection from the pool only when its first statement runs. Used by
 * the request layer, so that a request that is refused before its first statement needs no connection.
 */
import type { Statement, Transaction, Values } from './index.ts';
import type { Compilable } from './statement.ts';

type Open = (work: (tx: Transaction) => Promise<void>) => Promise<void>;

/**
 * Runs the work in a transaction that takes a connection on first use. Public operations often need no connection, or
 * open a transaction of their own first; requests that held one connection while they wait for a second one could
 * exhaust the pool.
 */
export async function lazyTransaction<T>(open: Open, work: (tx: Transaction) => Promise<T>): Promise<T> {
  const transaction = new LazyTransaction(open);
  let result: T;
  try {
    result = await work(transaction);
  } catch (error) {
    await transaction.rollback(error);
    throw error;
  }
  await transaction.commit();
  return result;
}

class LazyTransaction implements Transaction {
  readonly tenantId = null;
  readonly auditChain = 'open';
  readonly #open: Open;
  /**
   * Resolves when the work is done and rejects if it fails; the opened transaction waits for this promise before it
   * commits.
   */
  readonly #workDone = Promise.withResolvers<void>();
  readonly #beforeCommit: ((tx: Transaction) => void)[] = [];
  #opened: Promise<Transaction> | null = null;
  /** Settles when the opened transaction has committed or rolled back. */
  #ended: Promise<void> = Promise.resolve();

  constructor(open: Open) {
    this.#open = open;
    // Until a connection is opened this promise is not awaited, and an unhandled rejection would end the process.
    this.#workDone.promise.catch(() => undefined);
  }

  async run<V extends Values, Row>(statement: Statement<V, Row>, values: V): Promise<Row[]> {
    return (await this.#begin()).run(statement, values);
  }

  async count<V extends Values, Row>(statement: Statement<V, Row>, values: V): Promise<number> {
    return (await this.#begin()).count(statement, values);
  }

  async query<Row>(query: Compilable): Promise<Row[]> {
    return (await this.#begin()).query(query);
  }

  beforeCommit<V extends Values, Row>(statement: Statement<V, Row>, values: V): void {
    this.#beforeCommit.push((tx) => tx.beforeCommit(statement, values));
  }

  tenantKey(): never {
    throw new TypeError('tenantKey() needs a transaction with a tenant, and a lazy transaction has none');
  }

  within(tenantId: string): Transaction {
    return {
      tenantId,
      auditChain: this.auditChain,
      run: async (statement, values) => (await this.#begin()).within(tenantId).run(statement, values),
      count: async (statement, values) => (await this.#begin()).within(tenantId).count(statement, values),
      query: async (query) => (await this.#begin()).within(tenantId).query(query),
      beforeCommit: (statement, values) =>
        void this.#beforeCommit.push((tx) => tx.within(tenantId).beforeCommit(statement, values)),
      tenantKey: () => this.tenantKey(),
      within: (other) => this.within(other),
    };
  }

  async commit(): Promise<void> {
    if (this.#opened === null && this.#beforeCommit.length === 0) return;
    await this.#begin();
    this.#workDone.resolve();
    await this.#ended;
  }

  async rollback(cause: unknown): Promise<void> {
    this.#workDone.reject(cause);
    await this.#ended.catch(() => undefined);
  }

  #begin(): Promise<Transaction> {
    if (this.#opened !== null) return this.#opened;
    const { promise, resolve, reject } = Promise.withResolvers<Transaction>();
    this.#opened = promise;
    this.#ended = this.#open(async (tx) => {
      resolve(tx);
      await this.#workDone.promise;
      for (const register of this.#beforeCommit) register(tx);
    });
    this.#ended.catch(reject);
    return promise;
  }
}
