/** Keyset paging: the order of a list and the condition that continues it. Used by lists, through the index. */
import { type Fragment, sql } from './sql.ts';

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

/** Returns a pattern of ILIKE for texts that contain these characters literally. */
export function containing(characters: string): string {
  return `%${characters.replace(/[\\%_]/g, '\\$&')}%`;
}
