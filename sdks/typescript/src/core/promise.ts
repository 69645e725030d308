/** An answer with the HTTP response it came in, for headers such as `ETag`. */
export interface WithResponse<T> {
  readonly data: T;
  readonly response: Response;
  readonly requestId: string | null;
}

export interface Answer<T> {
  readonly data: T;
  readonly response: Response;
}

/** The promise of an answer. The request is sent at once, awaited or not, like any other promise in JavaScript. */
export class ApiPromise<T> implements Promise<T> {
  readonly [Symbol.toStringTag] = 'ApiPromise';
  protected readonly answer: Promise<Answer<T>>;

  constructor(answer: Promise<Answer<T>>) {
    this.answer = answer;
  }

  /** The answer together with the response: `const { data, response } = await client.….get(id).withResponse()`. */
  async withResponse(): Promise<WithResponse<T>> {
    const { data, response } = await this.answer;
    return { data, response, requestId: response.headers.get('x-request-id') };
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
