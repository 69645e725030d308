import { type ApiError, ComplianceOnboardingError, type ConnectionError, type Outcome, RedirectError } from './errors.ts';
import type { Input, Operation, Send } from './operation.ts';
import type { RequestOptions } from './options.ts';
import { ApiPromise } from './promise.ts';
import type { Transport } from './transport.ts';

/** From what hides nothing to what hides all that was known before. */
const OUTCOMES: readonly Outcome[] = ['not_sent', 'refused', 'unknown'];

/** A refusal under a key is final if it has one of these statuses: had an earlier attempt taken effect, the key would have brought its answer. */
const FINAL: readonly number[] = [400, 404, 409, 410, 412, 413, 415, 422, 428];

/** What is known of a call from the attempts that it has made. */
export interface Known {
  /** Index of `OUTCOMES`. */
  effect: number;
  key: string | null;
}

/** Reckons with an attempt that failed. */
export function reckon(known: Known, failure: unknown): void {
  const { status = 0, code, unreached } = failure as Partial<ApiError & ConnectionError>;
  const refused = failure instanceof RedirectError || (status >= 400 && status < 500 && status !== 408 && code !== 'idempotency_in_progress');
  known.effect = refused && known.key !== null && FINAL.includes(status) ? 1 : Math.max(known.effect, unreached ? 0 : refused ? 1 : 2);
}

/** How to send a call again. */
interface Again {
  readonly how: Send;
  readonly operation: Operation;
  readonly input: Input;
}

/** Of each error that ended a call. It holds personal data, so it is no member of the error, which might be logged. */
const CALLS = /* @__PURE__ */ new WeakMap<object, Again>();

/** The error that ends a call, with what is known of its effect. */
export function ended(failure: unknown, { effect, key }: Known, again: Again): unknown {
  if (!(failure instanceof Error)) return failure;
  // One error may end many calls, those that waited for the same token; what is known is true of one.
  const error = CALLS.has(failure) ? Object.create(failure) as Error : failure;
  CALLS.set(Object.assign(error, { outcome: OUTCOMES[effect], idempotencyKey: key }), again);
  return error;
}

/** Sends the call again that ended with `error`, under the same idempotency key and with time and retries as at first. */
export function resume<T = unknown>(client: Transport, error: unknown, options?: RequestOptions): ApiPromise<T> {
  const again = CALLS.get(error as object);
  if (again === undefined) return new ApiPromise(() => Promise.reject(new ComplianceOnboardingError('This error has no call to resume: no call of this package ended with it, or it is a copy')));
  const { how, operation, input } = again;
  return how(client, operation, { ...input, options: { ...input.options, signal: undefined, ...options } }) as ApiPromise<T>;
}
