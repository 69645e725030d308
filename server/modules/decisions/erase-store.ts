/**
 * Statements that empty a subject and the rows that belong to it, derived from what the tables declare (`erasedTo`).
 * Called by erase.ts only. A column that declares nothing keeps its value, so personal data would survive; a test goes
 * through all tables.
 */
import type { BusinessTime } from '../../base/time.ts';
import {
  type Fragment,
  fromTables,
  knex,
  type Parameter,
  sql,
  statement,
  type Transaction,
} from '../../database/index.ts';
import type { Subject } from '../../rules/subject.ts';
import { bySubject, keyOf, type OfSubject } from '../../rules/subject-rows.ts';

type Erasure = OfSubject & { now: BusinessTime };

/** Returns a change time that keeps `updatedAt` strictly increasing even if the clock goes back. */
export function timeOfChange(at: Parameter<BusinessTime>): Fragment {
  return sql`greatest(${at}::timestamptz, updated_at + interval '1 millisecond')`;
}

/**
 * Erasure statements, one for each table with rows of subjects of a kind and with columns that an erasure empties
 * (`erasedTo`). Sealed columns cannot be opened without the key, and are emptied nevertheless. Notes of second reviews
 * and files belong to other subjects as well and are erased by their modules.
 */
const erasures = fromTables((all) =>
  bySubject((member, kind) =>
    all
      .filter(({ duties: { owner } }) => owner === kind || owner === 'applicationOrBusiness')
      .filter((table) => table.erasure(new Date(0)) !== null)
      .map((table) => {
        const isSubject = table.name === kind;
        const emptied = (now: Parameter<BusinessTime>) => table.erasure(now, isSubject ? timeOfChange(now) : now)!;
        return statement<Erasure>(
          `${kind}.erase.${table.name}`,
          (p) => sql`
    UPDATE ${knex.raw(table.name)} SET ${emptied(p.now)}
      WHERE ${table.equal({ tenantId: p.tenantId, [isSubject ? 'id' : member]: p.subjectId })}`,
        );
      }),
  ),
);

/**
 * Empties a subject and what belongs to it. The rows remain as a record that the subject existed. The caller must hold
 * the lock on the subject.
 */
export function emptyRecords(tx: Transaction, subject: Subject, now: BusinessTime): void {
  for (const erasure of erasures()(subject)) void tx.run(erasure, { ...keyOf(tx, subject), now });
}
