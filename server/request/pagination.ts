/**
 * This file implements keyset pagination: opaque cursors that name the last row of a page, and pages that are cut from
 * `limit + 1` rows. Used by the handlers of all lists. A cursor of other filters, another tenant or an invalid one is
 * refused.
 */
import { createHash, createHmac, createSecretKey, type KeyObject, timingSafeEqual } from 'node:crypto';
import { canonicalJson, type Json } from '../base/canonical-json.ts';
import { Problem } from '../contract/problem.ts';

/** Sort key and tie-breaking id of the last row of a page. */
export type Position = readonly (string | number | null)[];

/** Values that a cursor is bound to. A cursor is refused if it is presented for another tenant, operation or filter. */
interface CursorBinding {
  readonly tenantId: string;
  readonly operationId: string;
  /** Everything that selects or orders rows: the query without `cursor` and `limit`. */
  readonly filters: object;
}

const VERSION = 1;
const MAC_BYTES = 16;
const FILTER_BYTES = 8;
const MAX_LENGTH = 1024;

/** Opaque keyset cursors: version ‖ hash of the filters ‖ position as JSON ‖ truncated HMAC, in base64url. */
export class Cursors {
  readonly #key: KeyObject;

  constructor(key: Buffer) {
    this.#key = createSecretKey(key);
  }

  encode(binding: CursorBinding, position: Position): string {
    const payload = Buffer.concat([Buffer.of(VERSION), filterHash(binding), Buffer.from(JSON.stringify(position))]);
    return Buffer.concat([payload, this.#mac(binding, payload)]).toString('base64url');
  }

  decode(binding: CursorBinding, cursor: string): Position {
    const bytes = Buffer.from(cursor, 'base64url');
    const payload = bytes.subarray(0, -MAC_BYTES);
    const genuine =
      cursor.length <= MAX_LENGTH &&
      bytes.toString('base64url') === cursor &&
      payload.length > 1 + FILTER_BYTES &&
      timingSafeEqual(this.#mac(binding, payload), bytes.subarray(-MAC_BYTES)) &&
      payload[0] === VERSION;
    if (!genuine) throw new Problem('invalid_cursor');
    if (!filterHash(binding).equals(payload.subarray(1, 1 + FILTER_BYTES))) throw new Problem('cursor_filter_mismatch');
    return JSON.parse(payload.subarray(1 + FILTER_BYTES).toString()) as Position;
  }

  /**
   * Computes the MAC. It covers tenant and operation although the cursor does not contain them, so a cursor of another
   * tenant or operation is invalid.
   */
  #mac(binding: CursorBinding, payload: Buffer): Buffer {
    return createHmac('sha256', this.#key)
      .update(`${binding.tenantId}\n${binding.operationId}\n`)
      .update(payload)
      .digest()
      .subarray(0, MAC_BYTES);
  }
}

function filterHash(binding: CursorBinding): Buffer {
  return createHash('sha256')
    .update(canonicalJson(binding.filters as Json))
    .digest()
    .subarray(0, FILTER_BYTES);
}

/** Default of the shared parameter `limit` in the contract. */
export const DEFAULT_LIMIT = 25;

export interface Page<Item> {
  items: Item[];
  cursor: string | null;
  hasMore: boolean;
}

/** Returns the parameters of a list that select or order rows: all except `cursor` and `limit`. */
export function filtersOf(query: object): object {
  return Object.fromEntries(Object.entries(query).filter(([name]) => name !== 'cursor' && name !== 'limit'));
}

/**
 * Cuts `limit` items from `limit + 1` rows. The extra row shows whether another page follows, so that no count of all
 * rows is needed.
 */
export function pageOf<Row, Item>(
  rows: readonly Row[],
  limit: number,
  toItem: (row: Row) => Item,
  next: { readonly cursors: Cursors; readonly binding: CursorBinding; readonly positionOf: (row: Row) => Position },
): Page<Item> {
  const pageRows = rows.slice(0, limit);
  const last = pageRows.at(-1);
  const hasMore = rows.length > limit && last !== undefined;
  return {
    items: pageRows.map(toItem),
    cursor: hasMore ? next.cursors.encode(next.binding, next.positionOf(last)) : null,
    hasMore,
  };
}
