import type { EventRow, StoredEventRow } from './store.ts';

/** A page also ends here, measured by its payloads, so that one answer stays small whatever the directory sent. */
const MAX_PAGE_BYTES = 1024 * 1024;

/** The rows of one page, from rows that were read with `limit + 1`; at least one, so that a reader always moves on. */
export function cutPage(rows: readonly StoredEventRow[], limit: number): { readonly page: readonly EventRow[]; readonly hasMore: boolean } {
  let bytes = 0;
  const end = rows.slice(0, limit).findIndex(({ payload }, index) => (bytes += Buffer.byteLength(payload ?? '')) > MAX_PAGE_BYTES && index > 0);
  const page = rows.slice(0, end === -1 ? limit : end).map(({ payload, ...row }): EventRow =>
    ({ ...row, raw_payload: payload === null ? null : JSON.parse(payload) as Record<string, unknown> }));
  return { page, hasMore: rows.length > page.length };
}
