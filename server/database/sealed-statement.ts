/** Runs one statement on rows of the sealed audit log within a transaction of the open one. */
import { sql } from './sql.ts';
import { type Statement, statement, type Values } from './statement.ts';
import type { AuditChain, Transaction } from './transaction.ts';

const setChain = statement<{ chain: AuditChain }>(
  'chain.set',
  (p) => sql`SELECT set_config('app.audit_chain', ${p.chain}::text, true)`,
);

/**
 * Sends a statement that changes sealed rows, for a reset of the sandbox, which empties all tables in one transaction.
 * Returns nothing, so that nothing about the rows leaves this function. The three statements are sent in one go, so no
 * other statement of the transaction comes between them.
 */
export async function runSealed<V extends Values>(
  tx: Transaction,
  change: Statement<V, unknown>,
  values: V,
): Promise<void> {
  await Promise.all([
    tx.run(setChain, { chain: 'sealed' }),
    tx.run(change, values),
    tx.run(setChain, { chain: tx.auditChain }),
  ]);
}
