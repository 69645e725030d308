/**
 * The client of the package: one object per installation and credential, which programs create. It hangs the generated
 * resources below itself; requests go through `core/transport.ts`, which throws every error.
 */
import { hang, kindOf, treeOf } from './core/tree.ts';
import { ComplianceOnboardingError } from './core/errors.ts';
import { operationOf } from './core/operation.ts';
import type { ClientOptions, RequestOptions } from './core/options.ts';
import { ApiPromise } from './core/promise.ts';
import { resume } from './core/resume.ts';
import { Transport } from './core/transport.ts';
import { OPERATIONS } from './generated/resources/operations.ts';
import type { Requests } from './generated/resources/requests.ts';
import type { Resources } from './generated/resources/index.ts';

const tree = /* @__PURE__ */ treeOf(OPERATIONS);

/** Input of a call outside of the resources: the parts of its request and the options of every call. */
export interface Parts extends RequestOptions {
  /** Identifiers in the path, by name. */
  readonly path?: Readonly<Record<string, string>> | undefined;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Sent as `Idempotency-Key`. With a key, the request is retried like operations of the contract that take one. */
  readonly idempotencyKey?: string | undefined;
}

/** The client: one per installation and credential. It may be shared by any number of calls at the same time. */
export interface ComplianceOnboarding extends Resources {}

export class ComplianceOnboarding {
  readonly #options: ClientOptions;
  readonly #transport: Transport;

  constructor(options: ClientOptions = {}) {
    this.#options = options;
    this.#transport = new Transport(options);
    hang(this, this.#transport, tree);
  }

  /**
   * Returns a client that differs in some options, such as the token of a person. It has its own retry budget and,
   * without a `tokenCache`, its own tokens.
   */
  withOptions(changes: ClientOptions): ComplianceOnboarding {
    return new ComplianceOnboarding({ ...this.#options, ...changes });
  }

  /**
   * Repeats the call that ended with `error`, under the same idempotency key and with the time limits and retries of a
   * new call, and returns the result of that call. The error keeps a hidden reference to the call until it is
   * garbage-collected.
   */
  resume<Answer = unknown>(error: unknown, options?: RequestOptions): ApiPromise<Answer> {
    return resume(this.#transport, error, options);
  }

  /**
   * Sends an operation by its id, or any other request by its method and path, with the same credentials, limits,
   * retries and errors. It answers the body as it came; a list is one page.
   *
   * @example
   * ```ts
   * await client.request('getApplication', { path: { applicationId } });
   * await client.request<{ enabled: boolean }>('POST /v1/previews/{name}/enable', {
   *   path: { name: 'risk' },
   *   body: { days: 7 },
   * });
   * ```
   */
  request<Id extends keyof Requests>(
    operationId: Id,
    ...parts: Requests[Id]['parts']
  ): ApiPromise<Requests[Id]['answer']>;
  request<Answer = unknown>(route: `${string} /${string}`, parts?: Parts): ApiPromise<Answer>;
  request(name: string, { path, query, body, ...options }: Parts = {}): ApiPromise<unknown> {
    return new ApiPromise(async (reading) => {
      const line = name.includes(' ')
        ? `${name} BAOn${options.idempotencyKey === undefined ? '' : 'k'}`
        : (await import('./generated/resources/lines.ts')).LINES[name];
      if (line === undefined) throw new ComplianceOnboardingError(`There is no operation ${name}`);
      const operation = operationOf(line);
      return (
        kindOf(operation, false)(
          this.#transport,
          operation,
          {
            path,
            query,
            body,
            options,
          },
          reading,
        ) as ApiPromise<unknown>
      ).withResponse();
    });
  }
}
