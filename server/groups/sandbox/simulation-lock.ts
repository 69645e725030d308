import { sql, statement, type Transaction } from '../../database/index.ts';

const lock = statement<{ tenantId: string }>('sandbox.lockSimulations', (p) =>
  sql`SELECT pg_advisory_xact_lock(hashtextextended('sandbox simulation', 0) # hashtextextended(${p.tenantId}, 0))`);

/**
 * Simulations of a tenant, and its resets, happen one after the other: they take many rows, and in different orders would
 * wait for one another for ever. Everything after it sees what the one before has committed.
 */
export async function lockSimulations(tx: Transaction): Promise<void> {
  await tx.run(lock, { tenantId: tx.tenantId! });
}
