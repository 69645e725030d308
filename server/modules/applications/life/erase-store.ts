/**
 * Statements that empty an application and the rows that belong to it, derived from what the tables declare
 * (`erasedTo`). Called by erase.ts only. A column that declares nothing keeps its value, so personal data would
 * survive; a test goes through all tables.
 */
import type { BusinessTime } from '../../../base/time.ts';
import { fromTables, knex, type Parameter, sql, statement, type Transaction } from '../../../database/index.ts';
import { application } from '../record/store.ts';
import { timeOfChange } from './lapse-store.ts';

type Erasure = { tenantId: string; applicationId: string; now: BusinessTime };

/**
 * Erasure statements, one for each table with rows of applications and with columns that an erasure empties
 * (`erasedTo`). Sealed columns cannot be opened without the key, and are emptied nevertheless. Notes of second reviews
 * and files belong to other subjects as well and are erased by their modules.
 */
const erasures = fromTables((all) =>
  all
    .filter(({ duties: { owner } }) => owner === 'application' || owner === 'applicationOrBusiness')
    .filter((table) => table.erasure(new Date(0)) !== null)
    .map((table) => {
      const isApplication = table.name === application.name;
      const emptied = (now: Parameter<BusinessTime>) => table.erasure(now, isApplication ? timeOfChange(now) : now)!;
      return statement<Erasure>(
        `application.erase.${table.name}`,
        (p) => sql`
    UPDATE ${knex.raw(table.name)} SET ${emptied(p.now)}
      WHERE ${table.equal({ tenantId: p.tenantId, [isApplication ? 'id' : 'applicationId']: p.applicationId })}`,
      );
    }),
);

/**
 * Empties an application and what belongs to it. The rows remain as a record that the application existed. The caller
 * must hold the lock on the application.
 */
export function emptyRecords(tx: Transaction, key: Erasure): void {
  for (const erasure of erasures()) void tx.run(erasure, key);
}
