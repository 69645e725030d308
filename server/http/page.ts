import type { CursorBinding, Cursors, Position } from './cursor.ts';

/** The contract's default of the shared parameter `limit`. */
export const DEFAULT_LIMIT = 25;

export interface Page<Item> {
  items: Item[];
  cursor: string | null;
  hasMore: boolean;
}

/** The query of a list without the members that only move through it. */
export function filtersOf(query: object): object {
  return Object.fromEntries(Object.entries(query).filter(([name]) => name !== 'cursor' && name !== 'limit'));
}

/**
 * Cuts `limit` items from rows that were read with `limit + 1`: the extra row only tells that there is more, which
 * saves a count.
 */
export function pageOf<Row, Item>(
  rows: readonly Row[],
  limit: number,
  toItem: (row: Row) => Item,
  next: { readonly cursors: Cursors; readonly binding: CursorBinding; readonly positionOf: (row: Row) => Position },
): Page<Item> {
  const kept = rows.slice(0, limit);
  const last = kept.at(-1);
  const hasMore = rows.length > limit && last !== undefined;
  return {
    items: kept.map(toItem),
    cursor: hasMore ? next.cursors.encode(next.binding, next.positionOf(last)) : null,
    hasMore,
  };
}
