import { fromTables, knex, type Parameter, sql, statement, type Transaction } from '../../database/index.ts';
import { application, timeOfChange } from './store.ts';

type Erasure = { tenantId: string; applicationId: string; now: Date };

/**
 * One statement for each table of applicants of which an erasure empties something, as its columns declare (`erasedTo`). Sealed columns would open no more
 * without the key, and are emptied all the same. Notes of second reviews, and files, belong to other subjects as well, and are erased by their modules.
 */
const erasures = fromTables((all) => all.filter((table) => table.duties.owner === 'application' && table.erasure(new Date(0)) !== null).map((table) => {
  const isApplication = table.name === application.name;
  const emptied = (now: Parameter<Date>) => table.erasure(now, isApplication ? timeOfChange(now) : now)!;
  return statement<Erasure>(`application.erase.${table.name}`, (p) => sql`
    UPDATE ${knex.raw(table.name)} SET ${emptied(p.now)} WHERE ${table.equal({ tenantId: p.tenantId, [isApplication ? 'id' : 'applicationId']: p.applicationId })}`);
}));

/** Empties an application whose lock is held, and what belongs to it; what is left says that it was there. */
export function emptyRecords(tx: Transaction, key: Erasure): void {
  for (const erasure of erasures()) void tx.run(erasure, key);
}
