/**
 * Sends requests with credentials, limits and retries. Used by every call. Every failure leaves as a typed error that
 * says whether the call may have taken effect.
 */
import { API_VERSION, DEFAULT_BASE_URL, VERSION } from '../generated/resources/contract.ts';
import { limit, sleep, until } from './abort.ts';
import { credentials, type Choose } from './auth.ts';
import {
  type ApiError,
  DeadlineExceededError,
  errorOf,
  failureOf,
  InvalidResponseError,
  requestIdOf,
  TimeoutError,
} from './errors.ts';
import { Log, type LogEvent, type Raw } from './log.ts';
import { hostProcess, numbersOf, settings, type ClientOptions, type Numbers, type Settings } from './options.ts';
import { send, type Input, type Operation, type Send } from './operation.ts';
import type { Answer, Reading } from './promise.ts';
import { randomKey } from './random-key.ts';
import { arrival, receive } from './receive.ts';
import { ended, reckon, type Known } from './resume.ts';
import { retryDelay } from './retry.ts';
import { RetryBudget } from './retry-budget.ts';
import { addressOf, headersOf, payloadOf } from './wire.ts';

type Write = (step: Omit<LogEvent, 'route' | 'attempt'>, raw?: Raw) => void;

/** One attempt of a call. */
type Attempt = (headers: Headers, write: Write) => Promise<Answer<unknown>>;

/** Sends requests: credentials, limits, retries, typed errors. */
export class Transport {
  readonly #settings: Settings;
  /** @internal */
  readonly numbers: Numbers;
  readonly #credentials: Choose;
  readonly #budget: RetryBudget;
  /** @internal */
  readonly log: Log;

  constructor(options: ClientOptions) {
    const used = (this.#settings = settings(options, DEFAULT_BASE_URL));
    this.numbers = numbersOf(options);
    this.#budget = new RetryBudget(this.numbers.retryBudget);
    this.log = new Log(options.logger ?? console, used.logLevel);
    this.#credentials = credentials(
      used,
      async () => new (await import('./grant.ts')).Grants(used, this, InvalidResponseError),
    );
  }

  /** @param how sends the call again if the caller resumes it */
  async answer<T>(operation: Operation, input: Input, reading: Reading = {}, how: Send = send): Promise<Answer<T>> {
    const { options = {}, encode } = input;
    const { route, path, marks } = operation;
    const { baseUrl, userAgent, headers: always, fetchOptions, fetch: request = fetch } = this.#settings;
    const { deadline, timeout, maxRetries } = numbersOf(options, this.numbers);
    const known: Known = { effect: 0, key: options.idempotencyKey ?? (marks.includes('k') ? randomKey() : null) };
    const { key } = known;
    const endsAt = performance.now() + deadline;
    const { signal: whole, end } = limit(
      deadline,
      () => new DeadlineExceededError(`No success within the deadline of ${deadline} ms`),
      options.signal,
    );
    const unread = (): boolean => reading.unread ?? marks.includes('b');
    /** Whether there is a response whose body has not been read yet. */
    let isOpen = false;
    try {
      // The file of an upload is still being read when the call begins.
      const [body] = await until(Promise.all([input.body, this.log.ready]), whole);
      const url = addressOf(baseUrl, path, input);
      const [payload, mediaType] = payloadOf(marks, body, encode);
      const layers = [
        !marks.includes('b') && { Accept: 'application/json, application/problem+json' },
        agent(userAgent),
        always,
        { 'Content-Type': mediaType },
        input.headers,
        { 'Idempotency-Key': key },
        options.headers,
      ];
      const attempt: Attempt = async (headers, write) => {
        const { signal, end } = limit(timeout, () => new TimeoutError(`No answer within ${timeout} ms`), whole);
        const started = performance.now();
        try {
          write({ type: 'request' }, { headers, body });
          const init = {
            ...fetchOptions,
            ...options.fetchOptions,
            method: route.split(' ', 1)[0]!,
            headers: Object.fromEntries(headers),
            signal,
            redirect: 'manual' as const,
            body: payload,
          };
          const response = await arrival(request(url, init) as Promise<Response>, signal);
          if (response.headers.has('deprecation') || response.headers.has('sunset'))
            write({ type: 'deprecation' }, response);
          const data = await until(receive(response, operation, unread()), signal);
          write(
            {
              type: 'response',
              status: response.status,
              requestId: requestIdOf(response.headers),
              durationMs: Math.round(performance.now() - started),
            },
            { headers: response.headers, body: data },
          );
          if (!response.ok) throw errorOf(response, data);
          isOpen = unread();
          return { data, response };
        } catch (error) {
          throw failureOf(error, signal);
        } finally {
          end(isOpen);
        }
      };
      let renewed = false;
      for (let retries = 0, number = 1; ; number++) {
        const write: Write = (step, raw) => this.log.write({ route, attempt: number, ...step }, raw);
        const credential = await this.#credentials(marks, whole);
        const headers = headersOf(...layers, credential.headers);
        known.key = headers.get('idempotency-key');
        try {
          const answer = await attempt(headers, write);
          this.#budget.giveBack(retries);
          return answer as Answer<T>;
        } catch (failure) {
          reckon(known, failure);
          write({ type: 'failure', error: (failure as Error).name });
          if (!renewed && (failure as ApiError).status === 401 && credential.discard) {
            renewed = true;
            credential.discard();
            continue;
          }
          const delay =
            retries < maxRetries
              ? retryDelay(failure, retries, /[kr]/.test(marks) || /^(GET|PUT|DELETE) /.test(route))
              : null;
          if (delay === null || whole.aborted || performance.now() + delay >= endsAt || !this.#budget.take())
            throw failure;
          write({ type: 'retry', delayMs: Math.round(delay) });
          await sleep(delay, whole);
          retries++;
        }
      }
    } catch (failure) {
      throw ended(failure, known, {
        how,
        operation,
        input: { ...input, options: { ...options, idempotencyKey: key ?? undefined } },
      });
    } finally {
      end(isOpen);
    }
  }
}

/**
 * Returns the user agent. A browser, and a worker in one, sends its own; setting it there would only cause a CORS
 * preflight.
 */
function agent(application: string | undefined): object {
  const own = `compliance-onboarding-typescript/${VERSION} contract/${API_VERSION}`;
  return hostProcess()?.versions?.node === undefined
    ? {}
    : { 'User-Agent': application ? `${application} ${own}` : own };
}
