/**
 * This file implements keyset pagination: opaque cursors that name the last row of a page, and pages that are cut from
 * `limit + 1` rows. The handlers of lists use `listPage`, or `environmentPage` for records of an environment; the feed
 * and the timeline of a recovery cut their own pages. A cursor of other filters, another tenant or an invalid one is
 * refused.
 */
import { createHash, createHmac, createSecretKey, type KeyObject, timingSafeEqual } from 'node:crypto';
import { canonicalJson, type Json } from '../base/canonical-json.ts';
import type { Environment } from '../contract/operation.ts';
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

/** What a page needs of the request: the context of a handler, or a part of it. */
export interface ListRequest {
  readonly operationId: string;
  readonly principal: { readonly tenantId: string };
  readonly params: object;
  readonly query: { readonly cursor?: string; readonly limit?: number };
  readonly cursors: Cursors;
}

/** Request for a page of the records of one environment. */
export interface EnvironmentListRequest extends ListRequest {
  readonly query: ListRequest['query'] & { readonly environment?: Environment };
  readonly environment: Environment;
  readonly visible: readonly Environment[];
  readonly setResourceEnvironment: (environment: Environment) => void;
}

/** Rows that are wanted for a page: those after a position, at most `count`, which is one more than the page shows. */
export interface WantedRows {
  /** Position of the last row of the previous page; null on the first page. */
  readonly after: Position | null;
  readonly count: number;
}

/** What a list handler says about its list. */
interface List<Row, Item, Wanted> {
  /** Selects rows in the order of the list. */
  readonly rows: (wanted: Wanted) => Promise<readonly Row[]>;
  /** Returns the place of a row in the order of the list. */
  readonly position: (row: Row) => Position;
  readonly item: (row: Row) => Item | Promise<Item>;
  /** Values that the cursor is bound to beside the ids of the path and the query. */
  readonly bind?: object;
}

/** Returns a page of a list. Its cursor continues only the list of the same path with the same query. */
export async function listPage<Row, Item>(
  { operationId, principal, params, query, cursors }: ListRequest,
  { rows, position, item, bind }: List<Row, Item, WantedRows>,
): Promise<Page<Item>> {
  const { limit = DEFAULT_LIMIT, cursor } = query;
  const binding = { tenantId: principal.tenantId, operationId, filters: { ...filtersOf(query), ...params, ...bind } };
  const after = cursor === undefined ? null : cursors.decode(binding, cursor);
  const found = await rows({ after, count: limit + 1 });
  const page = pageOf(found, limit, item, { cursors, binding, positionOf: position });
  return { ...page, items: await Promise.all(page.items) };
}

/**
 * Returns a page of the records of one environment: the one that the request names, else the effective one. A caller
 * who does not see that environment gets an empty page.
 */
export async function environmentPage<Row, Item>(
  ctx: EnvironmentListRequest,
  { rows, bind, ...list }: List<Row, Item, WantedRows & { readonly environment: Environment }>,
): Promise<Page<Item>> {
  const { environment = ctx.environment } = ctx.query;
  if (!ctx.visible.includes(environment)) return { items: [], cursor: null, hasMore: false };
  ctx.setResourceEnvironment(environment);
  return listPage(ctx, {
    rows: (wanted) => rows({ ...wanted, environment }),
    bind: { ...bind, environment },
    ...list,
  });
}

/** Order that the parameter `sort` names: a member, descending after `-`. */
export function orderOf<Sort extends string>(
  sort: Sort,
): { readonly by: Sort extends `-${infer Member}` ? Member : Sort; readonly direction: 'asc' | 'desc' } {
  const isDescending = sort.startsWith('-');
  const by = isDescending ? sort.slice(1) : sort;
  return { by: by as ReturnType<typeof orderOf<Sort>>['by'], direction: isDescending ? 'desc' : 'asc' };
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
