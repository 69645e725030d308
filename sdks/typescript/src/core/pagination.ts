import type { Client } from '../generated/client/index.ts';
import { PaginationError } from './errors.ts';
import type { RequestOptions } from './options.ts';
import { ApiPromise, type Answer } from './promise.ts';
import type { Operation, Transport } from './transport.ts';

/** What every list answers besides its items. */
export interface ListBody {
  readonly cursor: string | null;
  readonly hasMore: boolean;
}

/** Fetches the page behind a cursor, which is the page of this number. */
type Turn<Item> = (cursor: string, number: number) => Promise<Page<Item>>;

/** One page of a list. Iterate it for its items and those of all pages behind it. */
export class Page<Item> implements AsyncIterable<Item> {
  readonly items: readonly Item[];
  /** Where the next page starts: save it to go on later. On the event feed, presenting it acknowledges this page. */
  readonly cursor: string | null;
  readonly hasMore: boolean;
  readonly #turn: Turn<Item>;
  readonly #number: number;

  /** @internal */
  constructor(items: readonly Item[], body: ListBody, number: number, turn: Turn<Item>) {
    this.items = items;
    this.cursor = body.cursor;
    this.hasMore = body.hasMore;
    this.#number = number;
    this.#turn = turn;
  }

  /**
   * The next page, or null at the end. Only `hasMore` tells the end: a page may be empty and more may follow (AIP-158).
   * A missing or repeated cursor is an error, since stopping would lose items and going on would never end.
   */
  async nextPage(): Promise<Page<Item> | null> {
    if (!this.hasMore) return null;
    if (!this.cursor) throw new PaginationError(`Page ${this.#number} of the list says that more follows but gives no cursor to reach it`);
    return this.#turn(this.cursor, this.#number + 1);
  }

  async *pages(): AsyncGenerator<Page<Item>, void, undefined> {
    for (let page: Page<Item> | null = this; page !== null; page = await page.nextPage()) yield page;
  }

  /** No page is fetched before the one ahead of it is used up, so nothing unprocessed is ever acknowledged. */
  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    for await (const page of this.pages()) yield* page.items;
  }
}

/** `await` it for the first page, or `for await` over it for the items of all pages. */
export class PagePromise<Item> extends ApiPromise<Page<Item>> implements AsyncIterable<Item> {
  /** The pages one by one, each with its `cursor`. */
  async *pages(): AsyncGenerator<Page<Item>, void, undefined> {
    yield* (await this).pages();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    yield* await this;
  }
}

/** Sends a list operation page by page; `invoke` is told where each page starts, `items` names the member with the items. */
export function listOf<Item>(
  transport: Transport, operation: Operation, options: RequestOptions | undefined, start: string | undefined,
  invoke: (http: Client, page: { readonly cursor?: string }) => unknown, items: string,
): PagePromise<Item> {
  // Each cursor with the number of the page that it opened; the walk shares it, so that it costs the same at every page.
  const opened = new Map<string, number>();
  const at = async (cursor: string | undefined, number: number): Promise<Answer<Page<Item>>> => {
    if (cursor !== undefined) opened.set(cursor, number);
    const { data, response } = await transport.answer<ListBody & Readonly<Record<string, readonly Item[]>>>(operation, options, (http) => invoke(http, cursor === undefined ? {} : { cursor }));
    return { data: new Page(data[items] ?? [], data, number, turn), response };
  };
  const turn: Turn<Item> = async (cursor, number) => {
    const earlier = opened.get(cursor) ?? number;
    if (earlier !== number) throw new PaginationError(`Page ${number - 1} of the list leads back to page ${earlier}: its cursor was given before, so the list would never end`);
    return (await at(cursor, number)).data;
  };
  return new PagePromise(at(start || undefined, 1));
}
