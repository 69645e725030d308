import { PaginationError } from './errors.ts';
import { ApiPromise, type Answer } from './promise.ts';

/** What every list answers besides its items. */
export interface ListBody {
  readonly cursor: string | null;
  readonly hasMore: boolean;
}

/** Fetches one list body; without a cursor the first. */
export type Load<Body> = (cursor: string | undefined) => Promise<Answer<Body>>;

/** One page of a list. Iterate it for its items and those of all pages behind it. */
export class Page<Item> implements AsyncIterable<Item> {
  readonly items: readonly Item[];
  /** Where the next page starts: save it to go on later. On the event feed, presenting it acknowledges this page. */
  readonly cursor: string | null;
  readonly hasMore: boolean;
  readonly #next: (cursor: string) => Promise<Page<Item>>;
  readonly #seen: ReadonlySet<string>;

  constructor(items: readonly Item[], body: ListBody, next: (cursor: string, seen: ReadonlySet<string>) => Promise<Page<Item>>, seen: ReadonlySet<string>) {
    this.items = items;
    this.cursor = body.cursor;
    this.hasMore = body.hasMore;
    this.#seen = seen;
    this.#next = (cursor) => next(cursor, new Set(seen).add(cursor));
  }

  /**
   * The next page, or null at the end. Only `hasMore` tells the end: a page may be empty and more may follow (AIP-158).
   * A missing or repeated cursor is an error, since stopping would lose items and going on would never end.
   */
  async nextPage(): Promise<Page<Item> | null> {
    if (!this.hasMore) return null;
    if (this.cursor === null) throw new PaginationError('The list has more items but gave no cursor to reach them');
    if (this.#seen.has(this.cursor)) throw new PaginationError('The list repeats a cursor, so it would never end');
    return this.#next(this.cursor);
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

export async function firstPage<Item, Body extends ListBody>(
  load: Load<Body>, itemsOf: (body: Body) => readonly Item[], start: string | undefined,
): Promise<Answer<Page<Item>>> {
  const at = async (cursor: string | undefined, seen: ReadonlySet<string>): Promise<Answer<Page<Item>>> => {
    const { data, response } = await load(cursor);
    const next = async (from: string, known: ReadonlySet<string>) => (await at(from, known)).data;
    return { data: new Page(itemsOf(data), data, next, seen), response };
  };
  return at(start, new Set(start === undefined ? [] : [start]));
}
