import { sleep } from './abort.ts';
import { ApiError, ComplianceOnboardingError, ConnectionError, EnvironmentChangedError, InvalidResponseError, isPassing, PaginationError, TimeoutError } from './errors.ts';
import { tell } from './log.ts';
import type { RequestOptions } from './options.ts';
import type { Page, PagePromise } from './pagination.ts';
import { rising } from './rising.ts';

/** How a feed is followed. Nothing is needed: without `cursor` it begins at the oldest event that is not acknowledged. */
export interface FollowOptions<Item> extends Pick<RequestOptions, 'signal' | 'timeout' | 'headers' | 'onPoison'> {
  /** A cursor that was saved: everything up to it has been processed. */
  readonly cursor?: string | null | undefined;
  /** The largest number of events on a page. */
  readonly limit?: number | undefined;
  /** Called once every event of a page was processed and before the page is acknowledged: the moment to save `page.cursor`. */
  readonly onPage?: ((page: Page<Item>) => void | Promise<void>) | undefined;
  /** Called when something failed that will be tried again in `delayMs`. */
  readonly onRetry?: ((failure: ComplianceOnboardingError, delayMs: number) => void) | undefined;
  /** Milliseconds that are waited at least at the end of the feed and after a failure. Default: 1,000. */
  readonly minInterval?: number | undefined;
  /** Milliseconds that are waited at most at the end of the feed, although the server asks for more. Default: as the server asks. */
  readonly maxInterval?: number | undefined;
  /** @internal Time, so that tests need not wait. */
  readonly clock?: Clock;
}

/** @internal */
export interface Clock {
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
  readonly random: () => number;
}

/** What following needs of a resource; the emitted method gives it. */
export interface Feed<Item> {
  readonly list: (query: { cursor?: string; limit?: number }, options: RequestOptions) => PagePromise<Item>;
  readonly acknowledge: (cursor: string, options: RequestOptions) => PromiseLike<void>;
  /** The header that tells how many seconds later it is worth reading again. */
  readonly interval: string;
}

/** Where the server is silent: it may be older, or a proxy drops its header. */
const USUAL_INTERVAL_MS = 60_000;
/** A timer takes 31 bits; a longer one would fire at once. */
const LONGEST_PAUSE_MS = 2 ** 31 - 1;

/**
 * The events of a feed, one after the other and without end. An event counts as processed when the next one is asked for; a
 * page is acknowledged only after all of its events are. So leaving the loop acknowledges nothing of the page it was left in.
 */
export class Follow<Item> implements AsyncIterable<Item> {
  readonly #feed: Feed<Item>;
  readonly #options: FollowOptions<Item>;
  readonly #signal: AbortSignal;
  readonly #clock: Clock;
  #cursor: string | null;
  /** The environment of the first answer; null before it. */
  #environment: string | null = null;

  /** @internal */
  constructor(feed: Feed<Item>, options: FollowOptions<Item> = {}) {
    this.#feed = feed;
    this.#options = options;
    this.#signal = options.signal ?? new AbortController().signal;
    this.#clock = options.clock ?? { sleep, random: Math.random };
    this.#cursor = options.cursor || null;
  }

  /** Everything up to it was processed: save it to go on here later. Null before the first page was processed. */
  get cursor(): string | null {
    return this.#cursor;
  }

  /** Ends only when `signal` fires, then without an error; nothing is sent any more. Iterating again goes on from `cursor`. */
  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    for (let answer = await this.#read(); answer !== null; answer = await this.#read()) {
      const { page, interval } = answer;
      if (page.cursor === null && (page.hasMore || page.received > 0)) throw new PaginationError('The feed has events but gave no cursor to acknowledge them');
      // A page that ends where it was asked to begin holds nothing new: an answer to an earlier request, from some cache.
      const moved = page.cursor !== this.#cursor;
      for (const item of moved ? page.items : []) {
        if (this.#signal.aborted) return;
        yield item;
      }
      if (moved) await this.#options.onPage?.(page);
      this.#cursor = page.cursor;
      if (page.hasMore && moved) continue;
      // The next request would acknowledge this page too, but only after the whole interval.
      const wait = moved && page.received > 0 ? await this.#acknowledge() : 0;
      await this.#pause(Math.max(interval, wait));
    }
  }

  /** The next page, however long that takes; null once the caller stops. */
  async #read(): Promise<{ readonly page: Page<Item>; readonly interval: number } | null> {
    for (let failures = 0; !this.#signal.aborted; failures++) {
      const { limit } = this.#options;
      try {
        const { data, response } = await this.#feed.list({
          ...(this.#cursor === null ? {} : { cursor: this.#cursor }), ...(limit === undefined ? {} : { limit }),
        }, this.#request()).withResponse();
        this.#checkEnvironment(response.headers);
        return { page: data, interval: this.#interval(response.headers) };
      } catch (failure) {
        if (this.#signal.aborted) break;
        if (failure instanceof ApiError) this.#checkEnvironment(failure.headers);
        if (this.#cursor !== null && isExpired(failure)) {
          this.#cursor = null;
          continue;
        }
        const delay = this.#delay(failure, failures);
        tell(() => this.#options.onRetry?.(failure as ComplianceOnboardingError, delay));
        await this.#pause(delay);
      }
    }
    return null;
  }

  /** Throws if the server has begun to answer for another environment: its events are not the ones that the caller follows. */
  #checkEnvironment(headers: Headers): void {
    const environment = headers.get('x-environment');
    if (environment === null) return;
    this.#environment ??= environment;
    if (environment !== this.#environment) throw new EnvironmentChangedError(this.#environment, environment);
  }

  /** Answers how long to wait before the next request. A failure that may pass is left to it: it acknowledges as well. */
  async #acknowledge(): Promise<number> {
    if (this.#cursor === null || this.#signal.aborted) return 0;
    try {
      await this.#feed.acknowledge(this.#cursor, this.#request());
      return 0;
    } catch (failure) {
      if (failure instanceof ApiError && !this.#signal.aborted) this.#checkEnvironment(failure.headers);
      return this.#signal.aborted || isExpired(failure) ? 0 : this.#delay(failure, 0);
    }
  }

  /** Repetition is up to the loop, which never gives up and waits as long as it is asked to. */
  #request(): RequestOptions {
    const { timeout, headers, onPoison } = this.#options;
    return { signal: this.#signal, timeout, headers, onPoison, maxRetries: 0 };
  }

  #interval(headers: Headers): number {
    const asked = headers.get(this.#feed.interval)?.trim() ?? '';
    const ms = /^\d+$/.test(asked) ? Number(asked) * 1000 : USUAL_INTERVAL_MS;
    return Math.max(this.#least, Math.min(ms, this.#options.maxInterval ?? Infinity));
  }

  get #least(): number {
    return this.#options.minInterval ?? 1_000;
  }

  /** How long to wait after a failure; throws it when waiting will not help. */
  #delay(failure: unknown, failures: number): number {
    if (!mayPass(failure)) throw failure;
    const asked = failure instanceof ApiError ? failure.retryAfter : null;
    return Math.max(this.#least, asked ?? rising(failures, this.#clock.random));
  }

  async #pause(ms: number): Promise<void> {
    try {
      await this.#clock.sleep(Math.min(ms, LONGEST_PAUSE_MS), this.#signal);
    } catch (failure) {
      if (!this.#signal.aborted) throw failure;
    }
  }
}

function isExpired(failure: unknown): boolean {
  return failure instanceof ApiError && failure.code === 'cursor_expired';
}

/** Neither the request nor the credential is at fault. */
function mayPass(failure: unknown): boolean {
  if (failure instanceof ApiError) return isPassing(failure.status);
  return failure instanceof ConnectionError || failure instanceof TimeoutError || failure instanceof InvalidResponseError;
}
