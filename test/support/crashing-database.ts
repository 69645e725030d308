import type { Database, Transaction } from '../../server/database/index.ts';

/** The process ends here, as far as whoever works on the database can tell. */
export class Crash extends Error {}

/** A database whose writing transactions now and then end before their COMMIT, or are not heard of after it. */
export function crashing(database: Database, random: () => number): Database {
  return {
    ...database,
    transaction: async <T>(options: { readonly tenantId: string; readonly readOnly?: boolean }, work: (tx: Transaction) => Promise<T>): Promise<T> => {
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
