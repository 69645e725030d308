import type { Database } from './index.ts';
import type { Statement } from './statement.ts';

/** Repeats a statement that touches at most `size` rows until there are no more: no lock is held for long. Platform work. */
export async function inBatches(database: Database, statement: Statement<Record<never, never>, never>, size: number, signal: AbortSignal): Promise<number> {
  let sum = 0;
  for (;;) {
    if (signal.aborted) return sum;
    const count = await database.platform({ tenantId: null }, (tx) => tx.count(statement, {}));
    sum += count;
    if (count < size) return sum;
  }
}
