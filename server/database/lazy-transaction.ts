import type { Statement, Transaction, Values } from './index.ts';
import type { Compilable } from './statement.ts';

type Open = (work: (tx: Transaction) => Promise<void>) => Promise<void>;

/**
 * A transaction that takes a connection when it is first used. Public operations often need none, or one of their own
 * first; a caller that held a connection while waiting for a second one could starve the pool.
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
  readonly #open: Open;
  readonly #end = Promise.withResolvers<void>();
  readonly #last: ((tx: Transaction) => void)[] = [];
  #begun: Promise<Transaction> | null = null;
  #whole: Promise<void> = Promise.resolve();

  constructor(open: Open) {
    this.#open = open;
    // Without a connection nobody waits for the end.
    this.#end.promise.catch(() => undefined);
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
    this.#last.push((tx) => tx.beforeCommit(statement, values));
  }

  within(tenantId: string): Transaction {
    return {
      tenantId,
      run: async (statement, values) => (await this.#begin()).within(tenantId).run(statement, values),
      count: async (statement, values) => (await this.#begin()).within(tenantId).count(statement, values),
      query: async (query) => (await this.#begin()).within(tenantId).query(query),
      beforeCommit: (statement, values) => void this.#last.push((tx) => tx.within(tenantId).beforeCommit(statement, values)),
      within: (other) => this.within(other),
    };
  }

  async commit(): Promise<void> {
    if (this.#begun === null && this.#last.length === 0) return;
    await this.#begin();
    this.#end.resolve();
    await this.#whole;
  }

  async rollback(cause: unknown): Promise<void> {
    this.#end.reject(cause);
    await this.#whole.catch(() => undefined);
  }

  #begin(): Promise<Transaction> {
    if (this.#begun !== null) return this.#begun;
    const { promise, resolve, reject } = Promise.withResolvers<Transaction>();
    this.#begun = promise;
    this.#whole = this.#open(async (tx) => {
      resolve(tx);
      await this.#end.promise;
      for (const register of this.#last) register(tx);
    });
    this.#whole.catch(reject);
    return promise;
  }
}
