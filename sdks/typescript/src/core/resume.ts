/**
 * What is known of the effect of a failed call, and sending it again under the same key. Used by the client, transport
 * and downloads. A wrong outcome would make a program repeat what has happened.
 */
import {
  type ApiError,
  ComplianceOnboardingError,
  type ConnectionError,
  type Outcome,
  RedirectError,
} from './errors.ts';
import type { Input, Operation, Send } from './operation.ts';
import type { RequestOptions } from './options.ts';
import { ApiPromise } from './promise.ts';
import type { Transport } from './transport.ts';

/** Outcomes in ascending order: the outcome of a call is the highest one of its attempts. */
const OUTCOMES: readonly Outcome[] = ['not_sent', 'refused', 'unknown'];

/**
 * Statuses of final refusals under a key: if an earlier attempt had taken effect, its response would have been returned
 * for the key.
 */
const FINAL: readonly number[] = [400, 404, 409, 410, 412, 413, 415, 422, 428];

/** Combined knowledge of the attempts of a call. */
export interface Known {
  /** Index of `OUTCOMES`. */
  effect: number;
  key: string | null;
}

/** Takes a failed attempt into account. */
export function reckon(known: Known, failure: unknown): void {
  const { status = 0, code, unreached } = failure as Partial<ApiError & ConnectionError>;
  const refused =
    failure instanceof RedirectError ||
    (status >= 400 && status < 500 && status !== 408 && code !== 'idempotency_in_progress');
  known.effect =
    refused && known.key !== null && FINAL.includes(status)
      ? 1
      : Math.max(known.effect, unreached ? 0 : 2 - Number(refused));
}

/** How to repeat a call. */
interface Again {
  readonly how: Send;
  readonly operation: Operation;
  readonly input: Input;
}

/**
 * Calls by the errors that ended them. A call holds personal data, so it is not a member of the error, which might be
 * logged.
 */
const CALLS = /* @__PURE__ */ new WeakMap<object, Again>();

/** Returns the error that ends a call, with what is known of the call's effect. */
export function ended(failure: unknown, { effect, key }: Known, again: Again): unknown {
  if (!(failure instanceof Error)) return failure;
  // One error may end many calls that waited for the same token, but the outcome belongs to one of them.
  const error = CALLS.has(failure) ? (Object.create(failure) as Error) : failure;
  CALLS.set(Object.assign(error, { outcome: OUTCOMES[effect], idempotencyKey: key }), again);
  return error;
}

/**
 * Repeats the call that ended with `error`, under the same idempotency key and with the time limits and retries of a
 * new call.
 */
export function resume<T = unknown>(client: Transport, error: unknown, options?: RequestOptions): ApiPromise<T> {
  const again = CALLS.get(error as object);
  if (again === undefined)
    return new ApiPromise(() =>
      Promise.reject(
        new ComplianceOnboardingError(
          'This error has no call to resume: no call of this package ended with it, or it is a copy',
        ),
      ),
    );
  const { how, operation, input } = again;
  return how(client, operation, {
    ...input,
    options: { ...input.options, signal: undefined, ...options },
  }) as ApiPromise<T>;
}
