/**
 * Follows a feed without end, acknowledging what was processed. Created by the method `follow` of a resource. It never
 * acknowledges an event before it was handled; after a crash events may come twice.
 */
import { sleep } from './abort.ts';
import {
  ApiError,
  ComplianceOnboardingError,
  ConnectionError,
  EnvironmentChangedError,
  InvalidResponseError,
  isPassing,
  PaginationError,
  TimeoutError,
} from './errors.ts';
import { tell } from './log.ts';
import type { RequestOptions } from './options.ts';
import type { Page, PagePromise } from './pagination.ts';
import { rising } from './rising.ts';

/** Options of following a feed, all optional: without `cursor` it begins at the oldest unacknowledged event. */
export interface FollowOptions<Item> extends Pick<RequestOptions, 'signal' | 'timeout' | 'headers' | 'onPoison'> {
  /** A saved cursor: everything up to it has been processed. */
  readonly cursor?: string | null | undefined;
  /** The largest number of events on a page. */
  readonly limit?: number | undefined;
  /** Called after every event of a page was processed and before the page is acknowledged; save `page.cursor` here. */
  readonly onPage?: ((page: Page<Item>) => void | Promise<void>) | undefined;
  /** Called after a failure that will be retried in `delayMs`. */
  readonly onRetry?: ((failure: ComplianceOnboardingError, delayMs: number) => void) | undefined;
  /** Shortest wait at the end of the feed and after a failure, in milliseconds. Default: 1,000. */
  readonly minInterval?: number | undefined;
  /**
   * Longest wait at the end of the feed, in milliseconds, even if the server asks for more. Default: as the server
   * asks.
   */
  readonly maxInterval?: number | undefined;
  /** @internal Time, so that tests need not wait. */
  readonly clock?: Clock;
}

/** @internal */
export interface Clock {
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
  readonly random: () => number;
}

/** What following needs of a resource; the generated method provides it. */
export interface Feed<Item> {
  readonly list: (query: { cursor?: string; limit?: number }, options: RequestOptions) => PagePromise<Item>;
  readonly acknowledge: (cursor: string, options: RequestOptions) => PromiseLike<void>;
  /** Header with the number of seconds to wait before reading again. */
  readonly interval: string;
}

/** Interval if the server states none, because it is older or a proxy drops the header. */
const USUAL_INTERVAL_MS = 60_000;
/** Longest delay of a timer, which takes 31 bits; a longer one would fire at once. */
const LONGEST_PAUSE_MS = 2 ** 31 - 1;

/**
 * The events of a feed, one after the other and without end. An event counts as processed when the next one is
 * requested; a page is acknowledged only after all of its events are processed. So leaving the loop acknowledges
 * nothing of the current page.
 */
export class Follow<Item> implements AsyncIterable<Item> {
  readonly #feed: Feed<Item>;
  readonly #options: FollowOptions<Item>;
  readonly #signal: AbortSignal;
  readonly #clock: Clock;
  #cursor: string | null;
  /** Environment of the first response; null before it. */
  #environment: string | null = null;

  /** @internal */
  constructor(feed: Feed<Item>, options: FollowOptions<Item> = {}) {
    this.#feed = feed;
    this.#options = options;
    this.#signal = options.signal ?? new AbortController().signal;
    this.#clock = options.clock ?? { sleep, random: Math.random };
    this.#cursor = options.cursor || null;
  }

  /**
   * Everything up to this cursor was processed: save it to continue here later. Null before the first page was
   * processed.
   */
  get cursor(): string | null {
    return this.#cursor;
  }

  /**
   * Iterates until `signal` fires, then ends without an error and sends nothing more. A new iteration continues at
   * `cursor`.
   */
  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    for (let answer = await this.#read(); answer !== null; answer = await this.#read()) {
      const { page, interval } = answer;
      if (page.cursor === null && (page.hasMore || page.received > 0))
        throw new PaginationError('The feed has events but gave no cursor to acknowledge them');
      // A page that ends at the cursor it was requested with is a cached response to an earlier request, and has
      // nothing new.
      const moved = page.cursor !== this.#cursor;
      for (const item of moved ? page.items : []) {
        if (this.#signal.aborted) return;
        yield item;
      }
      if (moved) await this.#options.onPage?.(page);
      this.#cursor = page.cursor;
      if (page.hasMore && moved) continue;
      // The next request would also acknowledge this page, but only after the whole interval.
      const wait = moved && page.received > 0 ? await this.#acknowledge() : 0;
      await this.#pause(Math.max(interval, wait));
    }
  }

  /** Returns the next page, however long that takes; null once the caller stops. */
  async #read(): Promise<{ readonly page: Page<Item>; readonly interval: number } | null> {
    for (let failures = 0; !this.#signal.aborted; failures++) {
      const { limit } = this.#options;
      try {
        const { data, response } = await this.#feed
          .list(
            {
              ...(this.#cursor === null ? {} : { cursor: this.#cursor }),
              ...(limit === undefined ? {} : { limit }),
            },
            this.#request(),
          )
          .withResponse();
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

  /** Throws if the server has begun to respond for another environment, whose events the caller does not follow. */
  #checkEnvironment(headers: Headers): void {
    const environment = headers.get('x-environment');
    if (environment === null) return;
    this.#environment ??= environment;
    if (environment !== this.#environment) throw new EnvironmentChangedError(this.#environment, environment);
  }

  /**
   * Acknowledges the page and returns how long to wait before the next request. A temporary failure is ignored, because
   * the next request acknowledges as well.
   */
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

  /**
   * Returns the options of a request without retries, because the loop retries without limit and waits as long as the
   * server asks.
   */
  #request(): RequestOptions {
    const { timeout, headers, onPoison } = this.#options;
    return {
      signal: this.#signal,
      timeout,
      headers,
      onPoison,
      maxRetries: 0,
    };
  }

  #interval(headers: Headers): number {
    const asked = headers.get(this.#feed.interval)?.trim() ?? '';
    const ms = /^\d+$/.test(asked) ? Number(asked) * 1000 : USUAL_INTERVAL_MS;
    return Math.max(this.#least, Math.min(ms, this.#options.maxInterval ?? Infinity));
  }

  get #least(): number {
    return this.#options.minInterval ?? 1_000;
  }

  /** Returns how long to wait after a failure; throws the failure if waiting will not help. */
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

/** Returns whether the failure is temporary: neither the request nor the credential is at fault. */
function mayPass(failure: unknown): boolean {
  if (failure instanceof ApiError) return isPassing(failure.status);
  return (
    failure instanceof ConnectionError || failure instanceof TimeoutError || failure instanceof InvalidResponseError
  );
}
