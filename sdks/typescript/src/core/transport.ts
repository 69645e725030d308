import type { Client } from '../generated/client/index.ts';
import { DEFAULT_BASE_URL, VERSION } from '../generated/resources/contract.ts';
import { limit, sleep, until } from './abort.ts';
import { Credentials, type Credential, type Grant, type Scheme } from './auth.ts';
import { Deprecations } from './deprecation.ts';
import { ApiError, ComplianceOnboardingError, DeadlineExceededError, errorOf, failureOf, TimeoutError } from './errors.ts';
import { Log, type Detail, type LogEvent, type Raw } from './log.ts';
import { atLeast, settings, type ClientOptions, type RequestOptions, type Settings } from './options.ts';
import { ApiPromise, type Answer } from './promise.ts';
import { randomKey } from './random-key.ts';
import { arrival, receive } from './receive.ts';
import { retryDelay } from './retry.ts';
import { RetryBudget } from './retry-budget.ts';
import type { IssuedToken } from './token-manager.ts';
import { addressOf, bodyOf, headersOf, type Outgoing } from './wire.ts';

/** What the transport must know about an operation besides its route; the emitted functions state it. */
export interface Operation {
  /** Accepted security schemes; none means public. */
  readonly auth: readonly Scheme[];
  /** The operation honours `Idempotency-Key`. */
  readonly keyed?: true;
  /** Harmless to send twice although its method does not say so. */
  readonly repeatable?: true;
  /** The answer is bytes, left unread. */
  readonly binary?: true;
}

type Options = RequestOptions & { readonly idempotencyKey?: string | undefined };
type Write = (step: Omit<LogEvent, 'route' | 'attempt'>, raw?: Raw) => void;
type Verb = (outgoing: Outgoing) => Promise<Answer<unknown>>;

/** Calls one generated function with a client that sends what the function hands to it. */
export type Invoke = (http: Client) => unknown;

/** One call on its way: what all its attempts have in common. */
interface Call {
  readonly operation: Operation;
  readonly options: Options;
  /** `POST /v1/applications/{applicationId}/submit` */
  readonly route: string;
  readonly body: unknown;
  readonly request: (credential: Credential, signal: AbortSignal) => Request;
}

/** Sends the generated functions' requests: credentials, limits, retries, typed errors. */
export class Transport {
  readonly #settings: Settings;
  readonly #credentials: Credentials;
  readonly #budget: RetryBudget;
  readonly #deprecations = new Deprecations();
  readonly #log: Log;

  constructor(options: ClientOptions, detail?: Detail) {
    this.#settings = settings(options, DEFAULT_BASE_URL);
    this.#budget = new RetryBudget(this.#settings.retryBudget);
    this.#log = new Log(options.logger ?? console, this.#settings.logLevel, detail);
    this.#credentials = new Credentials(this.#settings, (grant) => this.#exchange(grant));
  }

  async #exchange({ clientId, clientSecret }: Grant): Promise<IssuedToken> {
    const { scope } = this.#settings;
    // RFC 6749 §2.3.1: both parts are form-encoded before Basic joins them.
    const headers = { Authorization: `Basic ${btoa(`${encodeURIComponent(clientId)}:${encodeURIComponent(clientSecret)}`)}`, 'Content-Type': 'application/x-www-form-urlencoded' };
    const body = { grant_type: 'client_credentials', ...(scope && { scope }) };
    const form = { url: '/oauth/token', headers, body, bodySerializer: (fields: unknown) => new URLSearchParams(fields as Record<string, string>) };
    return (await this.#run({ auth: [], repeatable: true }, {}, 'POST', form)).data as IssuedToken;
  }

  send<T>(operation: Operation, options: Options | undefined, invoke: Invoke): ApiPromise<T> {
    return new ApiPromise(this.answer<T>(operation, options, invoke));
  }

  async answer<T>(operation: Operation, options: Options = {}, invoke: Invoke): Promise<Answer<T>> {
    const verb = (method: string): Verb => (outgoing) => this.#run(operation, options, method, outgoing);
    const http = { get: verb('GET'), post: verb('POST'), put: verb('PUT'), patch: verb('PATCH'), delete: verb('DELETE') };
    return invoke(http as unknown as Client) as Promise<Answer<T>>;
  }

  async #run(operation: Operation, options: Options, method: string, outgoing: Outgoing): Promise<Answer<unknown>> {
    const { baseUrl, deadline: usual, userAgent, headers } = this.#settings;
    const deadline = atLeast(1, 'deadline', options.deadline ?? usual);
    const whole = limit(deadline, () => new DeadlineExceededError(`No success within the deadline of ${deadline} ms`), options.signal);
    try {
      // A file is still being read when the call begins.
      const body = await until(Promise.resolve(outgoing.body), whole.signal);
      const url = addressOf(baseUrl, outgoing, options.query);
      const payload = bodyOf(body, outgoing.bodySerializer) ?? null;
      const key = operation.keyed && { 'Idempotency-Key': options.idempotencyKey ?? randomKey() };
      const layers = [!operation.binary && { Accept: 'application/json, application/problem+json' }, agent(userAgent), headers, outgoing.headers, key, options.headers, body === undefined && { 'Content-Type': null }];
      const request: Call['request'] = (credential, signal) => new Request(url, {
        method, headers: headersOf(...layers, credential.headers), signal, redirect: 'manual', body: payload,
      });
      return await this.#repeat({ operation, options, route: `${method} ${outgoing.url}`, body, request }, whole.signal, performance.now() + deadline);
    } finally {
      if (operation.binary) whole.stop(); else whole.release();
    }
  }

  async #repeat(call: Call, signal: AbortSignal, endsAt: number): Promise<Answer<unknown>> {
    const { operation, options, route } = call;
    const most = atLeast(0, 'maxRetries', options.maxRetries ?? this.#settings.maxRetries);
    const repeatable = operation.keyed ?? operation.repeatable ?? /^(GET|PUT|DELETE) /.test(route);
    let renewed = false;
    for (let retries = 0, attempt = 1; ; attempt++) {
      const write: Write = (step, raw) => this.#log.write({ route, attempt, ...step }, raw);
      const credential = await this.#credentials.for(operation.auth, signal);
      try {
        const answer = await this.#attempt(call, credential, signal, write);
        this.#budget.giveBack(retries);
        return answer;
      } catch (failure) {
        write({ type: 'failure', error: failure instanceof ComplianceOnboardingError ? failure.name : 'Error' });
        if (!renewed && isStale(failure, credential)) { renewed = true; credential.discard(); continue; }
        const delay = retries < most ? retryDelay(failure, retries, repeatable) : null;
        if (delay === null || signal.aborted || performance.now() + delay >= endsAt || !this.#budget.take()) throw failure;
        write({ type: 'retry', delayMs: Math.round(delay) });
        await sleep(delay, signal);
        retries++;
      }
    }
  }

  async #attempt(call: Call, credential: Credential, above: AbortSignal, write: Write): Promise<Answer<unknown>> {
    const { operation, options, route, body } = call;
    const ms = atLeast(1, 'timeout', options.timeout ?? this.#settings.timeout);
    const { signal, stop, release } = limit(ms, () => new TimeoutError(`No answer within ${ms} ms`), above);
    const started = performance.now();
    let reading = false;
    try {
      const request = call.request(credential, signal);
      write({ type: 'request' }, { headers: request.headers, body });
      const response = await arrival((this.#settings.fetch ?? fetch)(request), signal);
      const notice = this.#deprecations.notice(route, response.headers);
      if (notice !== null) write({ type: 'deprecation', notice });
      const data = await until(receive(response, operation.binary), signal);
      write({
        type: 'response', status: response.status, requestId: response.headers.get('x-request-id'),
        durationMs: Math.round(performance.now() - started),
      }, { headers: response.headers, body: data });
      if (!response.ok) throw errorOf(response, data);
      reading = operation.binary === true;
      return { data, response };
    } catch (error) {
      throw failureOf(error, signal);
    } finally {
      if (reading) stop(); else release();
    }
  }
}

function isStale(failure: unknown, credential: Credential): credential is Required<Credential> {
  return failure instanceof ApiError && failure.status === 401 && credential.discard !== undefined;
}

/** A browser, a worker in one included, sends its own; setting it there would only provoke a CORS preflight. */
function agent(application: string | undefined): object {
  const { process } = globalThis as { process?: { versions?: { node?: string } } };
  const own = `compliance-onboarding-typescript/${VERSION}`;
  return process?.versions?.node === undefined ? {} : { 'User-Agent': application ? `${application} ${own}` : own };
}
