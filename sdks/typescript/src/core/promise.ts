/**
 * The promise that calls return, with access to the response. Used by all kinds of calls. The request is sent at once,
 * awaited or not.
 */
import { requestIdOf } from './errors.ts';

/** A result with its HTTP response, for headers such as `ETag`. */
export interface WithResponse<T> {
  readonly data: T;
  readonly response: Response;
  readonly requestId: string | null;
}

export interface Answer<T> {
  readonly data: T;
  readonly response: Response;
}

/** Whether the body of the response is left unread; evaluated when the response arrives. */
export interface Reading {
  unread?: boolean;
}

/** The promise of a result. The request is sent at once, awaited or not, like any other promise in JavaScript. */
export class ApiPromise<T> implements Promise<T> {
  readonly [Symbol.toStringTag] = 'ApiPromise';
  protected readonly answer: Promise<Answer<T>>;
  readonly #reading: Reading = {};

  /** @internal */
  constructor(start: (reading: Reading) => Promise<Answer<T>>) {
    this.answer = start(this.#reading);
  }

  /** The answer together with the response: `const { data, response } = await client.….get(id).withResponse()`. */
  async withResponse(): Promise<WithResponse<T>> {
    const { data, response } = await this.answer;
    return { data, response, requestId: requestIdOf(response.headers) };
  }

  /**
   * Returns the response as soon as its headers have arrived, with its body unread, so that the caller can read it as a
   * stream or otherwise. Error statuses are thrown as always. Call it in the statement that makes the call; later the
   * body may have been read (`bodyUsed`).
   */
  async asResponse(): Promise<Response> {
    this.#reading.unread = true;
    return (await this.answer).response;
  }

  then<A = T, B = never>(
    onfulfilled?: ((value: T) => A | PromiseLike<A>) | null,
    onrejected?: ((reason: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    return this.answer.then(({ data }) => data).then(onfulfilled, onrejected);
  }

  catch<B = never>(onrejected?: ((reason: unknown) => B | PromiseLike<B>) | null): Promise<T | B> {
    return this.then(null, onrejected);
  }

  finally(onfinally?: (() => void) | null): Promise<T> {
    return this.then().finally(onfinally);
  }
}
