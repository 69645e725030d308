/**
 * A service for tests of your own code: a `fetch` that returns the contract's example for each operation, without a
 * network, and that can fail as services and networks do.
 */
import type { Fetch, FetchInit } from './core/options.ts';
import { EXAMPLES } from './generated/resources/examples.ts';
import type { Requests } from './generated/resources/requests.ts';

/** A request as the service received it. */
export interface SeenRequest {
  /** Null if the contract has no such operation. */
  readonly operationId: string | null;
  readonly method: string;
  readonly url: URL;
  readonly headers: Headers;
  /** Parsed JSON, a text or a `Blob`, or null. */
  readonly body: unknown;
}

/** Changes or replaces the response of an operation. */
export type Fault = (answer: () => Response, init: FetchInit) => Response | Promise<Response>;

/** A body, or a fault. */
export type Reply<Answer = unknown> = Fault | (Answer extends object ? Partial<Answer> : never);

/**
 * Responds with the examples of the contract: `new ComplianceOnboarding({ apiKey: 'kyc_test_a_b', fetch: service.fetch
 * })`.
 */
export class ExampleService {
  /** Received requests, in order. */
  readonly requests: SeenRequest[] = [];
  readonly #replies = new Map<string, Reply[]>();

  /**
   * Sets the replies of an operation, one for each request; the last one also serves all later requests. A body is
   * merged over the example.
   */
  reply<Id extends keyof Requests>(operationId: Id, ...replies: Reply<Requests[Id]['answer']>[]): this {
    this.#replies.set(operationId, replies as Reply[]);
    return this;
  }

  readonly fetch: Fetch = async (address, init) => {
    const url = new URL(address);
    // A fixed path precedes one with a parameter that could stand for it.
    const [operationId = null, example] =
      Object.entries(EXAMPLES)
        .filter(([, { method, path }]) => method === init.method && pattern(path).test(url.pathname))
        .sort(([, one], [, other]) => parameters(one.path) - parameters(other.path))[0] ?? [];
    const replies = this.#replies.get(operationId ?? '') ?? [];
    const reply = replies.length > 1 ? replies.shift() : replies[0];
    const { status = 404, type = 'application/problem+json', body = NOT_FOUND } = example ?? {};
    const content = typeof reply === 'object' ? { ...(body as object), ...(reply as object) } : body;
    const text = type?.includes('json') ? JSON.stringify(content) : String(content);
    const answer = (): Response =>
      new Response(content === null ? null : text, {
        status,
        headers: { 'x-request-id': `test-${this.requests.length}`, ...(type !== null && { 'content-type': type }) },
      });
    if (reply !== resetBefore)
      this.requests.push({
        operationId,
        method: init.method,
        url,
        headers: new Headers(init.headers),
        body: parsed(init.body),
      });
    return typeof reply === 'function' ? reply(answer, init) : answer();
  };
}

const NOT_FOUND = {
  type: '/problems/not_found',
  title: 'There is no such operation',
  status: 404,
  code: 'not_found',
  requestId: 'test',
};

const parameters = (path: string): number => path.split('{').length;

function pattern(path: string): RegExp {
  return new RegExp(`${path.replace(/\{\w+\}/g, '[^/]+')}$`);
}

function parsed(body: unknown): unknown {
  try {
    return typeof body === 'string' ? (JSON.parse(body) as unknown) : body;
  } catch {
    return body;
  }
}

/** Refuses with a problem of this status; `members` are merged over the problem. */
export const status =
  (code: number, members: object = {}): Fault =>
  () =>
    Response.json(
      {
        type: 'about:blank',
        title: `Status ${code}`,
        status: code,
        code: 'test',
        requestId: 'test',
        ...members,
      },
      { status: code, headers: { 'content-type': 'application/problem+json', 'retry-after': '0' } },
    );

/** The connection is refused: the request never arrives. */
export const resetBefore: Fault = () => broken('ECONNREFUSED');

/** The connection breaks once the request has arrived, so it may have taken effect. */
export const resetAfter: Fault = () => broken('ECONNRESET');

/** Delays the response by this many milliseconds. */
export const slow =
  (ms: number): Fault =>
  (answer, { signal }) =>
    new Promise((resolve, reject) => {
      const timer = setTimeout(() => resolve(answer()), ms);
      signal.addEventListener('abort', () => {
        clearTimeout(timer);
        reject(signal.reason as Error);
      });
    });

/** Ends the body in the middle. */
export const truncated: Fault = async (answer) => {
  const whole = answer();
  const bytes = new Uint8Array(await whole.arrayBuffer());
  let isSent = false;
  const half = new ReadableStream<Uint8Array>({
    pull(controller) {
      if (isSent) controller.error(new TypeError('terminated'));
      else controller.enqueue(bytes.subarray(0, Math.floor(bytes.length / 2)));
      isSent = true;
    },
  });
  return new Response(half, { status: whole.status, headers: whole.headers });
};

/** Returns a page of a proxy instead of the response. */
export const html: Fault = () =>
  new Response('<!doctype html><title>Welcome</title>', { headers: { 'content-type': 'text/html' } });

/** Returns a success without its body. */
export const empty: Fault = () => new Response('', { headers: { 'content-type': 'application/json' } });

/** Returns the response of a later version of the API, with more members. */
export const unknownMembers: Fault = async (answer) => {
  const whole = answer();
  return Response.json(later(await whole.json()), { status: whole.status, headers: whole.headers });
};

function later(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(later);
  return typeof value !== 'object' || value === null
    ? value
    : {
        ...Object.fromEntries(Object.entries(value).map(([name, member]) => [name, later(member)])),
        unknownToThisVersion: true,
      };
}

function broken(code: string): never {
  throw new TypeError('fetch failed', { cause: Object.assign(new Error(code), { code }) });
}
