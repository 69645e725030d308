import type { Pool } from 'pg';
import { ActingTenant } from './acting-tenant.ts';
import { Connection } from './connection.ts';
import { isConsequence } from './errors.ts';
import { ReadTransaction } from './read-transaction.ts';
import type { Compilable, Statement, Values } from './statement.ts';
import { WriteTransaction } from './write-transaction.ts';

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
  /** The same transaction for rows of another tenant. Platform work only. */
  within(tenantId: string): Transaction;
}

export interface TransactionOptions {
  readonly tenantId: string | null;
  /** Nothing is written; every statement then costs one round trip, BEGIN and COMMIT included. */
  readonly readOnly?: boolean;
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/**
 * Runs `work` in one transaction. Statements are pipelined: BEGIN and the tenant travel with the first one,
 * what is registered with `atEnd` travels with COMMIT. Returns only after COMMIT was answered by COMMIT.
 */
export async function transaction<T>(pool: Pool, role: 'app' | 'platform', options: TransactionOptions, work: (tx: Transaction) => Promise<T>): Promise<T> {
  const { tenantId, readOnly = false } = options;
  if (tenantId !== null && !uuid.test(tenantId)) throw new TypeError('a tenant id is a lower-case UUID');
  const tenant = new ActingTenant(tenantId, role === 'platform');
  const connection = await Connection.from(pool);
  return readOnly ? read(connection, tenant, work) : write(connection, tenant, work);
}

async function write<T>(connection: Connection, tenant: ActingTenant, work: (tx: Transaction) => Promise<T>): Promise<T> {
  const tx = new WriteTransaction(connection, tenant);
  let unusable: Error | undefined;
  try {
    const result = await work(tx);
    await tx.commit();
    return result;
  } catch (error) {
    unusable = await tx.rollback();
    // A statement after the failed one reports only that the transaction is aborted; the caller gets the cause.
    throw isConsequence(error) ? connection.failure ?? error : error;
  } finally {
    connection.release(unusable);
  }
}

async function read<T>(connection: Connection, tenant: ActingTenant, work: (tx: Transaction) => Promise<T>): Promise<T> {
  try {
    return await work(new ReadTransaction(connection, tenant));
  } finally {
    // The caller has its rows and need not wait until the server has answered COMMIT.
    void connection.allAnswered().then(() => connection.release());
  }
}
