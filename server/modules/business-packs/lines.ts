/** Writes records of a business as lines of JSON while an archive is sent. Used by evidence-pack.ts. */
import type { Database, Transaction } from '../../database/index.ts';

interface Within {
  readonly database: Database;
  readonly tenantId: string;
  readonly businessId: string;
}

/** Records that are read in one transaction. Each may have a megabyte. */
const AT_ONCE = 5;

/**
 * Yields a line for each record, in the order of their ids. No connection is held between parts, even for slow readers.
 * Throws if the business is erased meanwhile, so that the archive breaks off.
 */
export async function* lines<Row extends { readonly id: string }>(
  { database, tenantId, businessId }: Within,
  read: (tx: Transaction, businessId: string, page: { after: string; count: number }) => Promise<readonly Row[]>,
  shownOf: (row: Row) => object,
): AsyncGenerator<string> {
  for (let after: string | null = FIRST; after !== null; ) {
    const page: { after: string; count: number } = { after, count: AT_ONCE };
    const rows: readonly Row[] = await database.transaction({ tenantId, readOnly: true }, (tx) =>
      read(tx, businessId, page),
    );
    for (const row of rows) yield `${JSON.stringify(shownOf(row))}\n`;
    after = rows.length < AT_ONCE ? null : rows.at(-1)!.id;
  }
}

/** Id before all others. */
const FIRST = '00000000-0000-0000-0000-000000000000';
