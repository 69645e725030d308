import type { EventRow } from './store.ts';

/** A page also ends here, measured by its payloads, so that one answer stays small whatever the directory sent. */
const MAX_PAGE_BYTES = 1024 * 1024;

/** The rows of one page, from rows that were read with `limit + 1`; at least one, so that a reader always moves on. */
export function cutPage(rows: readonly EventRow[], limit: number): { readonly page: readonly EventRow[]; readonly hasMore: boolean } {
  let bytes = 0;
  const end = rows.slice(0, limit).findIndex((row, index) => (bytes += row.payload_bytes) > MAX_PAGE_BYTES && index > 0);
  const page = rows.slice(0, end === -1 ? limit : end);
  return { page, hasMore: rows.length > page.length };
}
