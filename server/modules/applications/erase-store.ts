import { knex, sql, type Statement, statement, tables, type Transaction } from '../../database/index.ts';
import { application, timeOfChange } from './store.ts';

type Erased = { tenantId: string; applicationId: string; now: Date };

let erasures: readonly Statement<Erased, { erasedAt: string | null }>[] | null = null;

/**
 * One statement for each table of applicants that an erasure leaves something of: what its columns declare (`erasedTo`). Sealed columns would open no more
 * without the key, and are emptied all the same. Notes of second reviews, and files, belong to other subjects as well, and are erased by their modules.
 */
export function erasureStatements(): readonly Statement<Erased, { erasedAt: string | null }>[] {
  return (erasures ??= tables.filter(({ duties: { owner } }) => owner === 'application').flatMap((table) => {
    const isRecord = table.name === application.name;
    const erasure = (p: Parameters<Parameters<typeof statement<Erased>>[1]>[0]) => table.erasure(p.now, isRecord ? timeOfChange(p.now) : p.now);
    if (table.erasure(new Date(0)) === null) return [];
    return [statement<Erased, { erasedAt: string | null }>(`application.erase.${table.name}`, (p) => sql`
      UPDATE ${knex.raw(table.name)} SET ${erasure(p)!}
      WHERE ${table.equal({ tenantId: p.tenantId, [isRecord ? 'id' : 'applicationId']: p.applicationId })}
      RETURNING ${'erasedAt' in table.columns ? table.select('erasedAt') : sql`NULL AS "erasedAt"`}`)];
  }));
}

/** Empties an application whose lock is held, and what belongs to it; what is left says that it was there, until when. */
export async function emptyRecords(tx: Transaction, key: Erased): Promise<string> {
  const erased = await Promise.all(erasureStatements().map((erasure) => tx.run(erasure, key)));
  const at = erased.flat().find(({ erasedAt }) => erasedAt !== null)?.erasedAt;
  if (at === undefined || at === null) throw new Error(`The application ${key.applicationId} was not there to be erased`);
  return at;
}
