/** Interface of transactions. Implemented by the transactions of this folder; used by all layers above. */
import type { Secrets } from '../base/secrets.ts';
import type { Compilable, Statement, Values } from './statement.ts';

/**
 * Which of the two audit logs of a tenant a transaction reads and writes. The sealed one is that of reports to the
 * authorities, whose rows are visible to its transactions alone (`isolateChain`).
 */
export type AuditChain = 'open' | 'sealed';

export interface Transaction {
  /** Tenant whose rows are visible; null only for platform work. */
  readonly tenantId: string | null;
  readonly auditChain: AuditChain;
  /**
   * Sends a compiled statement and resolves with its rows. The caller need not await it: a failure then appears at
   * COMMIT.
   */
  run<V extends Values, Row>(statement: Statement<V, Row>, values: V): Promise<Row[]>;
  /** Sends a compiled statement and resolves with the number of rows that it read or changed. */
  count<V extends Values, Row>(statement: Statement<V, Row>, values: V): Promise<number>;
  /** Sends a query that Knex has just built, such as a list with optional filters. */
  query<Row>(query: Compilable): Promise<Row[]>;
  /** Registers a statement that is sent together with COMMIT, after all others, such as an audit or idempotency row. */
  beforeCommit<V extends Values, Row>(statement: Statement<V, Row>, values: V): void;
  /** Returns the key of the tenant for one purpose, derived from the root secret. */
  tenantKey(purpose: string): Buffer;
  /** Returns the same transaction for rows of another tenant. Platform work only. */
  within(tenantId: string): Transaction;
}

export interface TransactionOptions {
  readonly tenantId: string | null;
  /** Whether the transaction writes nothing; every statement then costs one round trip, BEGIN and COMMIT included. */
  readonly readOnly?: boolean;
  /** The audit log of the transaction; the open one by default. */
  readonly auditChain?: AuditChain;
}

/**
 * Tenant of the statement that is being sent. Row-level security reads one setting of the connection, so a transaction
 * that writes rows of several tenants must set it before each change of tenant. Only platform work may do so.
 */
export class ActingTenant {
  readonly #secrets: Secrets;
  readonly #own: string | null;
  readonly #isPlatform: boolean;
  /** The audit log of the transaction, which is the same for every tenant that it enters. */
  readonly auditChain: AuditChain;
  #now: string | null;

  constructor(
    own: string | null,
    role: { readonly isPlatform: boolean; readonly auditChain: AuditChain },
    secrets: Secrets,
  ) {
    this.#secrets = secrets;
    this.#own = own;
    this.#isPlatform = role.isPlatform;
    this.auditChain = role.auditChain;
    this.#now = own;
  }

  get now(): string | null {
    return this.#now;
  }

  /** Sends statements for this tenant: those that `send` sends before it returns. */
  runAs<T>(tenantId: string | null, send: () => T): T {
    const before = this.#now;
    this.#now = tenantId;
    try {
      return send();
    } finally {
      this.#now = before;
    }
  }

  /** Returns the key of a tenant for one purpose. */
  keyOf(tenantId: string | null, purpose: string): Buffer {
    if (tenantId === null) throw new TypeError('tenantKey() needs a transaction with a tenant');
    return this.#secrets.deriveKey(`${purpose} ${tenantId}`);
  }

  /** Returns the same transaction as `root`, for rows of another tenant. */
  view(root: Transaction, tenantId: string): Transaction {
    if (tenantId === this.#own) return root;
    if (!this.#isPlatform) throw new TypeError('only platform work reaches another tenant');
    return {
      tenantId,
      auditChain: this.auditChain,
      run: (statement, values) => this.runAs(tenantId, () => root.run(statement, values)),
      count: (statement, values) => this.runAs(tenantId, () => root.count(statement, values)),
      query: (query) => this.runAs(tenantId, () => root.query(query)),
      beforeCommit: (statement, values) => this.runAs(tenantId, () => root.beforeCommit(statement, values)),
      tenantKey: (purpose) => this.keyOf(tenantId, purpose),
      within: (other) => root.within(other),
    };
  }
}

/**
 * Returns the same transaction for rows of another tenant, for platform work that learns only on the way whose rows it
 * writes, or that writes rows of several tenants. Statements sent through `tx` itself still apply to the tenant of
 * `tx`.
 */
export function withinTenant(tx: Transaction, tenantId: string): Transaction {
  return tx.within(tenantId);
}
