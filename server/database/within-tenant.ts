import type { Transaction } from './transaction.ts';

/**
 * The same transaction for rows of another tenant: for platform work that learns only on the way whose rows it writes,
 * or that writes rows of several. What is sent through `tx` itself stays with the tenant of `tx`.
 */
export function withinTenant(tx: Transaction, tenantId: string): Transaction {
  return tx.within(tenantId);
}
