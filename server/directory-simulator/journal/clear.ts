import type { Transaction } from '../../database/index.ts';
import { tenantOf } from './acting-tenant.ts';
import { deleteCommands, deleteFaults, lockJournal } from './statements.ts';

/** Everything that the directory holds of the tenant's sandbox goes, what is being appended meanwhile included. */
export async function clearJournal(tx: Transaction): Promise<void> {
  const tenantId = tenantOf(tx);
  await tx.run(lockJournal, { tenantId });
  await Promise.all([tx.count(deleteCommands, { tenantId }), tx.count(deleteFaults, { tenantId })]);
}
