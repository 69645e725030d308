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
  beforeCommit<V extends Values, Row>(statement: Statement<V, Row>, values: V): void;
  /** The same transaction for rows of another tenant. Platform work only. */
  within(tenantId: string): Transaction;
}

export interface TransactionOptions {
  readonly tenantId: string | null;
  /** Nothing is written; every statement then costs one round trip, BEGIN and COMMIT included. */
  readonly readOnly?: boolean;
}

/**
 * Whose rows the statement that is being sent is for. Row-level security reads one setting of the connection, so a
 * transaction that writes rows of several tenants must set it before each change of tenant; platform work alone may.
 */
export class ActingTenant {
  readonly #own: string | null;
  readonly #mayCross: boolean;
  #now: string | null;

  constructor(own: string | null, mayCross: boolean) {
    this.#own = own;
    this.#mayCross = mayCross;
    this.#now = own;
  }

  get now(): string | null {
    return this.#now;
  }

  /** What `send` sends, which it must do before it returns, is for this tenant. */
  runAs<T>(tenantId: string | null, send: () => T): T {
    const before = this.#now;
    this.#now = tenantId;
    try {
      return send();
    } finally {
      this.#now = before;
    }
  }

  /** The same transaction as `root`, for rows of another tenant. */
  view(root: Transaction, tenantId: string): Transaction {
    if (tenantId === this.#own) return root;
    if (!this.#mayCross) throw new TypeError('only platform work reaches another tenant');
    return {
      tenantId,
      run: (statement, values) => this.runAs(tenantId, () => root.run(statement, values)),
      count: (statement, values) => this.runAs(tenantId, () => root.count(statement, values)),
      query: (query) => this.runAs(tenantId, () => root.query(query)),
      beforeCommit: (statement, values) => this.runAs(tenantId, () => root.beforeCommit(statement, values)),
      within: (other) => root.within(other),
    };
  }
}

/**
 * The same transaction for rows of another tenant: for platform work that learns only on the way whose rows it writes,
 * or that writes rows of several. What is sent through `tx` itself stays with the tenant of `tx`.
 */
export function withinTenant(tx: Transaction, tenantId: string): Transaction {
  return tx.within(tenantId);
}
