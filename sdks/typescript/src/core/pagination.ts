/**
 * Pages of lists, and iterating over all items. Used by the tree of operations and feeds. Throws instead of stopping or
 * repeating when a server gives a missing or repeated cursor.
 */
import { isRecord, PaginationError } from './errors.ts';
import type { Send } from './operation.ts';
import { ApiPromise, type Answer, type Reading } from './promise.ts';

/** Members of every list response besides its items. */
export interface ListBody {
  readonly cursor: string | null;
  readonly hasMore: boolean;
}

/** Fetches the page behind a cursor; `number` is the number of that page. */
type Turn<Item> = (cursor: string, number: number) => Promise<Page<Item>>;

/** Number of a page, and how many items were received with it. */
interface Place {
  readonly number: number;
  readonly received: number;
}

/** One page of a list. Iterate over it for its items and those of all later pages. */
export class Page<Item> implements AsyncIterable<Item> {
  readonly items: readonly Item[];
  /** Start of the next page: save it to continue later. On the event feed, sending it acknowledges this page. */
  readonly cursor: string | null;
  readonly hasMore: boolean;
  /** Number of items received; `onPoison` may have removed some of them. */
  readonly received: number;
  readonly #turn: Turn<Item>;
  readonly #number: number;

  /** @internal */
  constructor(items: readonly Item[], { cursor, hasMore }: ListBody, place: Place, turn: Turn<Item>) {
    this.items = items;
    this.cursor = cursor;
    this.hasMore = hasMore;
    this.received = place.received;
    this.#number = place.number;
    this.#turn = turn;
  }

  /**
   * Returns the next page, or null at the end. Only `hasMore` marks the end: a page may be empty although more follow
   * (AIP-158). A missing or repeated cursor is an error, because stopping would lose items and continuing would never
   * end.
   */
  async nextPage(): Promise<Page<Item> | null> {
    if (!this.hasMore) return null;
    if (!this.cursor)
      throw new PaginationError(
        `Page ${this.#number} of the list says that more follows but gives no cursor to reach it`,
      );
    return this.#turn(this.cursor, this.#number + 1);
  }

  async *pages(): AsyncGenerator<Page<Item>, void, undefined> {
    for (let page: Page<Item> | null = this; page !== null; page = await page.nextPage()) yield page;
  }

  /** Fetches a page only after the previous one is used up, so nothing unprocessed is ever acknowledged. */
  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    for await (const page of this.pages()) yield* page.items;
  }
}

/**
 * A promise of a list: `await` it for the first page, or iterate over it with `for await` for the items of all pages.
 */
export class PagePromise<Item> extends ApiPromise<Page<Item>> implements AsyncIterable<Item> {
  /** The pages one by one, each with its `cursor`. */
  async *pages(): AsyncGenerator<Page<Item>, void, undefined> {
    yield* (await this).pages();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    yield* await this;
  }
}

/** Says what is wrong with an item; null if it is valid. An empty key is not looked for. */
function flawOf(item: unknown, key: string): string | null {
  if (!isRecord(item)) return 'is no object';
  return key && (item[key] ?? null) === null ? `has no ${key}` : null;
}

/** Sends a list operation page by page. */
export const listOf: Send = (transport, operation, input) => {
  const [items = '', key = 'id'] = operation.members[0]!.split('.');
  const onPoison = input.options?.onPoison;
  const query = (input.query ?? {}) as { readonly cursor?: string };
  // Number of the page that each cursor opened; all pages of one iteration share it, so that its cost per page is
  // constant.
  const opened = new Map<string, number>();
  const at = async (cursor: string | undefined, number: number, reading?: Reading): Promise<Answer<Page<unknown>>> => {
    if (cursor !== undefined) opened.set(cursor, number);
    const { data, response } = await transport.answer<ListBody & Readonly<Record<string, readonly unknown[]>>>(
      operation,
      { ...input, query: { ...query, cursor } },
      reading,
      listOf,
    );
    if (!data) return { data, response };
    const place = { number, received: data[items]!.length };
    return { data: new Page(await sound(data[items]!), data, place, turn), response };
  };
  /** Removes invalid items, if `onPoison` is set. */
  const sound = async (all: readonly unknown[]): Promise<unknown[]> => {
    const kept: unknown[] = [];
    for (const item of all) {
      const flaw = flawOf(item, key);
      if (flaw !== null && onPoison !== undefined) {
        await onPoison(item, flaw);
        continue;
      }
      if (flaw !== null)
        transport.log.write({
          type: 'poison',
          route: operation.route,
          attempt: 1,
          notice: `an item ${flaw}`,
        });
      kept.push(item);
    }
    return kept;
  };
  const turn: Turn<unknown> = async (cursor, number) => {
    const earlier = opened.get(cursor) ?? number;
    if (earlier !== number)
      throw new PaginationError(
        `Page ${number - 1} of the list leads back to page ${earlier}: its cursor was given before, so ` +
          'the list would never end',
      );
    return (await at(cursor, number)).data;
  };
  return new PagePromise((reading) => at(query.cursor || undefined, 1, reading));
};
