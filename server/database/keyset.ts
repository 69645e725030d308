import { type Fragment, sql } from './sql.ts';

/** What the rows of a list are ordered by: a key, and for rows with equal keys their id. */
interface KeysetOrder {
  readonly key: Fragment;
  /** The type of the key, to which a position of a cursor is cast. */
  readonly type: Fragment;
  readonly id: Fragment;
  readonly direction: 'asc' | 'desc';
}

/** The key and the id of the last row of the page before; null for the first page. */
type LastRow = readonly (string | number | null)[] | null;

/**
 * Keyset paging: `order` for ORDER BY, and `after`, the condition that leaves out the rows up to the last one of the page before (false
 * for the first page). The comparison of rows lets PostgreSQL start reading an index at that place.
 */
export function keyset({ key, type, id, direction }: KeysetOrder, last: LastRow): { readonly order: Fragment; readonly after: Fragment | false } {
  const [beyond, sorted] = direction === 'asc' ? [sql`>`, sql`ASC`] : [sql`<`, sql`DESC`];
  return {
    order: sql`${key} ${sorted}, ${id} ${sorted}`,
    after: last !== null && sql`(${key}, ${id}) ${beyond} (${last[0]!}::${type}, ${last[1]!}::uuid)`,
  };
}

/** A pattern of ILIKE for what contains these characters as they are. */
export function containing(characters: string): string {
  return `%${characters.replace(/[\\%_]/g, '\\$&')}%`;
}
