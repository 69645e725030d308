/** Keyset paging: the order of a list and the condition that continues it. Used by lists, through the index. */
import type { AnyColumn, Columns } from './duties.ts';
import { every, type Fragment, sql } from './sql.ts';
import { knex } from './statement.ts';
import type { RowOf, Selection, Table } from './table.ts';
import type { Transaction } from './transaction.ts';

/** Order of the rows of a list: by a key, and for rows with equal keys by their id. */
interface KeysetOrder {
  readonly key: Fragment;
  /** Type of the key, to which the position in a cursor is cast. */
  readonly type: Fragment;
  readonly id: Fragment;
  readonly direction: 'asc' | 'desc';
}

/** Key and id of the last row of the previous page; null for the first page. */
type LastRow = readonly (string | number | null)[] | null;

/**
 * Returns the SQL of keyset paging: `order` for ORDER BY, and `after`, the condition that leaves out the rows up to the
 * last one of the previous page (false for the first page). The comparison of rows lets PostgreSQL start reading an
 * index at that position.
 */
export function keyset(
  { key, type, id, direction }: KeysetOrder,
  last: LastRow,
): { readonly order: Fragment; readonly after: Fragment | false } {
  const [beyond, sorted] = direction === 'asc' ? [sql`>`, sql`ASC`] : [sql`<`, sql`DESC`];
  return {
    order: sql`${key} ${sorted}, ${id} ${sorted}`,
    after: last !== null && sql`(${key}, ${id}) ${beyond} (${last[0]!}::${type}, ${last[1]!}::uuid)`,
  };
}

/** Rows of a list, as `listPage` takes them: how they are selected, and the place of one of them in the order. */
interface ListedRows<Row> {
  readonly rows: (wanted: { readonly after: LastRow; readonly count: number }) => Promise<Row[]>;
  readonly position: (row: Row) => (string | number | null)[];
}

/** Columns that every listed row has. */
interface Identified {
  readonly tenantId: AnyColumn;
  readonly id: AnyColumn;
}

/**
 * Declares the list of the rows that belong to one record, in the descending order of a member: for notes of an
 * application `newestFirst(note, shown, { of: 'applicationId', by: 'createdAt' })`.
 */
export function newestFirst<C extends Columns & Identified, M extends keyof C & string>(
  table: Table<C>,
  selection: Selection<C, M> & ('id' extends M ? unknown : never),
  { of, by }: { readonly of: keyof C & string; readonly by: NoInfer<M> },
): (tx: Transaction, id: string) => ListedRows<RowOf<Selection<C, M>>> {
  type Row = RowOf<Selection<C, M>> & Readonly<Record<string, string | number | null>>;
  const order = {
    key: table.column(by),
    type: knex.raw((table.columns[by] as AnyColumn).type),
    id: table.column('id'),
    direction: 'desc',
  } as const;
  return (tx, id) => ({
    rows: ({ after, count }) => {
      const page = keyset(order, after);
      const isOf = sql`${table.column('tenantId')} = ${tx.tenantId} AND ${table.column(of)} = ${id}`;
      return tx.query<Row>(sql`
        SELECT ${selection} FROM ${knex.raw(table.name)} WHERE ${every([isOf, page.after])}
          ORDER BY ${page.order} LIMIT ${count}`);
    },
    position: (row) => [(row as Row)[by]!, (row as Row)['id']!],
  });
}

/** Returns a pattern of ILIKE for texts that contain these characters literally. */
export function containing(characters: string): string {
  return `%${characters.replace(/[\\%_]/g, '\\$&')}%`;
}
