import { createClient, createConfig, type Client } from '../generated/client/index.ts';
import { DEFAULT_BASE_URL } from '../generated/resources/contract.ts';
import { createToken } from '../generated/sdk.gen.ts';
import { VERSION } from '../version.ts';
import { limit, sleep } from './abort.ts';
import { Credentials, type Credential, type Scheme } from './auth.ts';
import { abortion, ApiError, ComplianceError, failureOf } from './errors.ts';
import { Download } from './files.ts';
import { redact, type LogEvent } from './log.ts';
import { settings, type ClientOptions, type RequestOptions, type Settings } from './options.ts';
import { firstPage, PagePromise, type ListBody } from './pagination.ts';
import { ApiPromise, type Answer } from './promise.ts';
import { retryDelay } from './retry.ts';

/** What the transport must know about an operation; the emitted resources state it. */
export interface Operation {
  /** `POST /v1/applications/{applicationId}/submit` */
  readonly route: string;
  /** Accepted security schemes; none means public. */
  readonly auth: readonly Scheme[];
  /** The operation honours `Idempotency-Key`. */
  readonly keyed?: true;
  /** Harmless to send twice although its method does not say so. */
  readonly repeatable?: true;
  readonly binary?: true;
}

/** Arguments that every generated function gets. */
export interface Call {
  readonly client: Client;
  readonly signal: AbortSignal;
  readonly headers: Record<string, string>;
  readonly redirect: 'error';
  readonly parseAs: 'auto' | 'stream';
}

/** What a generated function answers; it never throws. */
interface Result<T> {
  readonly data: T | undefined;
  readonly error: unknown;
  readonly response?: Response;
}

type Options = RequestOptions & { readonly idempotencyKey?: string | undefined };
type Log = (event: Omit<LogEvent, 'route' | 'attempt'>) => void;
type Invoke<T> = (call: Call) => Promise<Result<T>>;

/** Sends the generated functions' requests: credentials, limits, retries, typed errors. */
export class Transport {
  readonly #settings: Settings;
  readonly #client: Client;
  readonly #credentials: Credentials;

  constructor(options: ClientOptions) {
    this.#settings = settings(options, DEFAULT_BASE_URL);
    const { baseUrl, fetch } = this.#settings;
    this.#client = createClient(createConfig({ baseUrl, ...(fetch ? { fetch: (input) => fetch(input as Request) } : {}) }));
    this.#client.interceptors.request.use((request, { path }) => (checkPath(path), request));
    this.#credentials = new Credentials(this.#settings, async ({ clientId, clientSecret }) => {
      const body = { grant_type: 'client_credentials' as const, client_id: clientId, client_secret: clientSecret, ...(options.scope ? { scope: options.scope } : {}) };
      const operation: Operation = { route: 'POST /oauth/token', auth: [], repeatable: true };
      return (await this.#run(operation, {}, (call) => createToken({ ...call, body }))).data;
    });
  }

  send<T>(operation: Operation, options: Options | undefined, invoke: Invoke<T>): ApiPromise<T> {
    return new ApiPromise(this.#run(operation, options ?? {}, invoke));
  }

  list<Item, Body extends ListBody, Query extends object>(
    operation: Operation, options: RequestOptions | undefined, query: (Query & { readonly cursor?: string | undefined }) | undefined,
    invoke: (call: Call, query: Query | undefined) => Promise<Result<Body>>, itemsOf: (body: Body) => readonly Item[],
  ): PagePromise<Item> {
    const load = (cursor: string | undefined) =>
      this.#run(operation, options ?? {}, (call) => invoke(call, cursor === undefined ? query : { ...query, cursor } as unknown as Query));
    return new PagePromise(firstPage(load, itemsOf, query?.cursor || undefined));
  }

  download(operation: Operation, options: RequestOptions | undefined, invoke: Invoke<unknown>): ApiPromise<Download> {
    const answer = this.#run({ ...operation, binary: true }, options ?? {}, invoke);
    return new ApiPromise(answer.then(({ response }) => ({ data: new Download(response), response })));
  }

  async #run<T>(operation: Operation, options: Options, invoke: Invoke<T>): Promise<Answer<T>> {
    const { deadline: defaultDeadline, maxRetries: defaultRetries } = this.#settings;
    const deadline = options.deadline ?? defaultDeadline;
    const endsAt = Date.now() + deadline;
    const whole = limit(deadline, `No success within the deadline of ${deadline} ms`, options.signal);
    const key: Record<string, string> = operation.keyed ? { 'Idempotency-Key': options.idempotencyKey ?? crypto.randomUUID() } : {};
    const repeatable = operation.keyed ?? operation.repeatable ?? /^(GET|HEAD|PUT|DELETE) /.test(operation.route);
    let renewed = false;
    try {
      for (let retries = 0, attempt = 1; ; attempt++) {
        const log: Log = (event) => this.#settings.logger?.({ route: operation.route, attempt, ...event });
        const credential = await this.#credentials.for(operation.auth, whole.signal);
        try {
          return await this.#attempt(operation, { ...options, headers: { ...key, ...options.headers, ...credential.headers } }, whole.signal, invoke, log);
        } catch (failure) {
          log({ type: 'failure', error: failure instanceof ComplianceError ? failure.name : 'Error' });
          if (!renewed && isStale(failure, credential)) { renewed = true; credential.discard(); continue; }
          const delay = retries < (options.maxRetries ?? defaultRetries) ? retryDelay(failure, retries, repeatable) : null;
          if (delay === null || whole.signal.aborted || Date.now() + delay >= endsAt) throw failure;
          log({ type: 'retry', delayMs: Math.round(delay) });
          await sleep(delay, whole.signal);
          retries++;
        }
      }
    } finally {
      whole.clear();
    }
  }

  async #attempt<T>(
    operation: Operation, options: Options, above: AbortSignal, invoke: Invoke<T>, log: Log,
  ): Promise<Answer<T>> {
    const ms = options.timeout ?? this.#settings.timeout;
    const { signal, clear } = limit(ms, `No answer within ${ms} ms`, above);
    const headers = { ...userAgent(), ...this.#settings.headers, ...options.headers };
    const started = performance.now();
    try {
      if (signal.aborted) throw abortion(signal);
      log({ type: 'request', headers: redact(Object.entries(headers)) });
      const { data, error, response } = await invoke({ client: this.#client, signal, headers, redirect: 'error', parseAs: operation.binary ? 'stream' : 'auto' });
      if (response) log({ type: 'response', status: response.status, requestId: response.headers.get('x-request-id'), durationMs: Math.round(performance.now() - started), headers: redact(response.headers) });
      if (response?.ok && error === undefined) return { data: (response.status === 204 ? undefined : data) as T, response };
      throw failureOf(error, response, signal);
    } finally {
      clear();
    }
  }
}

function isStale(failure: unknown, credential: Credential): credential is Required<Credential> {
  return failure instanceof ApiError && failure.status === 401 && credential.discard !== undefined;
}

/** An empty or dotted identifier would silently address another resource once the URL is normalised. */
function checkPath(path: Readonly<Record<string, unknown>> = {}): void {
  for (const [name, value] of Object.entries(path)) {
    if (typeof value !== 'string' || value === '' || value === '.' || value === '..') throw new ComplianceError(`${name} must be a non-empty identifier`);
  }
}

/** A browser, a worker in one included, sends its own; setting it there would only provoke a CORS preflight. */
function userAgent(): Record<string, string> {
  const { process } = globalThis as { process?: { versions?: { node?: string } } };
  return process?.versions?.node === undefined ? {} : { 'User-Agent': `compliance-onboarding-typescript/${VERSION}` };
}
