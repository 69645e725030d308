import type { Transaction } from './transaction.ts';

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
  during<T>(tenantId: string | null, send: () => T): T {
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
      run: (statement, values) => this.during(tenantId, () => root.run(statement, values)),
      count: (statement, values) => this.during(tenantId, () => root.count(statement, values)),
      query: (query) => this.during(tenantId, () => root.query(query)),
      atEnd: (statement, values) => this.during(tenantId, () => root.atEnd(statement, values)),
      within: (other) => root.within(other),
    };
  }
}
