/** Opens transactions whose statements are pipelined. Used by the database's index. */
import type { Pool } from 'pg';
import type { Secrets } from '../base/secrets.ts';
import { isUuid } from '../base/uuid.ts';
import { Connection } from './connection.ts';
import { isConsequence } from './errors.ts';
import { ReadTransaction } from './read-transaction.ts';
import { ActingTenant, type Transaction, type TransactionOptions } from './transaction.ts';
import { WriteTransaction } from './write-transaction.ts';

/** Pool and role of a transaction, and the secrets from which the keys of its tenant are derived. */
interface Access {
  readonly pool: Pool;
  readonly role: 'app' | 'platform';
  readonly secrets: Secrets;
}

/**
 * Runs `work` in one transaction. Statements are pipelined: BEGIN and the tenant are sent with the first one,
 * statements registered with `beforeCommit` are sent with COMMIT. Returns only after the server has confirmed COMMIT.
 */
export async function transaction<T>(
  { pool, role, secrets }: Access,
  options: TransactionOptions,
  work: (tx: Transaction) => Promise<T>,
): Promise<T> {
  const { tenantId, readOnly = false, auditChain = 'open' } = options;
  if (tenantId !== null && !isUuid(tenantId)) throw new TypeError('a tenant id must be a lower-case UUID');
  const tenant = new ActingTenant(tenantId, { isPlatform: role === 'platform', auditChain }, secrets);
  const connection = await Connection.from(pool);
  return readOnly ? read(connection, tenant, work) : write(connection, tenant, work);
}

async function write<T>(
  connection: Connection,
  tenant: ActingTenant,
  work: (tx: Transaction) => Promise<T>,
): Promise<T> {
  const tx = new WriteTransaction(connection, tenant);
  let unusable: Error | undefined;
  try {
    const result = await work(tx);
    await tx.commit();
    return result;
  } catch (error) {
    unusable = await tx.rollback();
    // A statement after the failed one reports only that the transaction is aborted; the caller gets the cause.
    throw isConsequence(error) ? (connection.failure ?? error) : error;
  } finally {
    connection.release(unusable);
  }
}

async function read<T>(
  connection: Connection,
  tenant: ActingTenant,
  work: (tx: Transaction) => Promise<T>,
): Promise<T> {
  try {
    return await work(new ReadTransaction(connection, tenant));
  } finally {
    // The caller has its rows and need not wait for the server's answer to COMMIT.
    void connection.allAnswered().then(() => connection.release());
  }
}
