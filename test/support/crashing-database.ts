/** A database whose process seems to crash around COMMIT. Used by the test of interleaving in recovery-ingestion. */
import type { Database, Transaction } from '../../server/database/index.ts';

/** Simulated end of the process, as seen by code that uses the database. */
export class Crash extends Error {}

/**
 * Returns a database whose writing transactions sometimes fail before their COMMIT, or after it without reporting
 * success.
 */
export function crashing(database: Database, random: () => number): Database {
  return {
    ...database,
    transaction: async <T>(
      options: { readonly tenantId: string; readonly readOnly?: boolean },
      work: (tx: Transaction) => Promise<T>,
    ): Promise<T> => {
      const fate = options.readOnly === true ? 1 : random();
      const result = await database.transaction(options, async (tx) => {
        const done = await work(tx);
        if (fate < 0.05) throw new Crash('before COMMIT');
        return done;
      });
      if (fate > 0.95 && options.readOnly !== true) throw new Crash('after COMMIT');
      return result;
    },
  };
}
