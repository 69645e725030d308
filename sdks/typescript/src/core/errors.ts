/** The errors that calls throw. Used by the transport and whatever can fail. Programs rely on the classes and codes. */
import { askedWait } from './retry-after.ts';
import type { FieldError, Problem, ProblemCode } from '../generated/types.gen.ts';

/**
 * Known effect of a failed call: `not_sent`: nothing reached the service; `refused`: the service did nothing;
 * `unknown`: the call may have taken effect.
 */
export type Outcome = 'not_sent' | 'refused' | 'unknown';

/**
 * Root of every error that this package throws on purpose. The fields below are only declared, because a field with an
 * initialiser increases the size of a bundle.
 */
export class ComplianceOnboardingError extends Error {
  override readonly name: string = 'ComplianceOnboardingError';
  /** Outcome of all attempts together. */
  readonly outcome: Outcome = 'not_sent';
  /** Key with which `client.resume(error)` sends the call again; null if it has none. */
  readonly idempotencyKey: string | null = null;
}

/** No response, or only a part of one, arrived: DNS, TCP, TLS, or a truncated body. The reason is in `cause`. */
export class ConnectionError extends ComplianceOnboardingError {
  override readonly name: string = 'ConnectionError';
  /** Whether the server was never reached, so that the request cannot have taken effect. */
  declare readonly unreached: boolean;

  constructor(cause: unknown) {
    const reasons = reasonsOf(cause);
    super(`Connection failed: ${reasons.map(({ message, code }) => message || code).join(': ') || String(cause)}`, {
      cause,
    });
    this.unreached = reasons.some(({ code = '' }) => UNREACHED.test(code));
  }
}

/** One attempt exceeded `timeout`. */
export class TimeoutError extends ComplianceOnboardingError {
  override readonly name: string = 'TimeoutError';
}

/** The whole call exceeded `deadline`. */
export class DeadlineExceededError extends TimeoutError {
  override readonly name = 'DeadlineExceededError';
}

/** The caller's `signal` fired. Its reason is in `cause`. */
export class AbortError extends ComplianceOnboardingError {
  override readonly name: string = 'AbortError';
}

/**
 * The server responded with a redirect, which was not followed, because the credential would have been sent to its
 * target.
 */
export class RedirectError extends ComplianceOnboardingError {
  override readonly name: string = 'RedirectError';
}

/**
 * An invalid success: its body is not JSON, empty, or not of the documented kind, for example because a proxy responded
 * instead of the service.
 */
export class InvalidResponseError extends ComplianceOnboardingError {
  override readonly name = 'InvalidResponseError';
  declare readonly status: number;
  declare readonly requestId: string | null;

  constructor({ status, headers }: Response, reason: string) {
    const requestId = requestIdOf(headers);
    super([status, reason, requestId && `(request ${requestId})`].filter(Boolean).join(' '));
    this.status = status;
    this.requestId = requestId;
  }
}

/** A list cannot be continued: the server announced more but returned no cursor, or a repeated one. */
export class PaginationError extends ComplianceOnboardingError {
  override readonly name: string = 'PaginationError';
}

/**
 * The environment of the followed feed has changed: the sandbox of the tenant was switched, which redirects a key that
 * is not pinned. Pin the key (`pinEnvironment`), or follow the other feed from its own cursor.
 */
export class EnvironmentChangedError extends ComplianceOnboardingError {
  override readonly name: string = 'EnvironmentChangedError';
  readonly from: string;
  readonly to: string;

  constructor(from: string, to: string) {
    super(`The feed changed from ${from} to ${to}: the sandbox switch was turned, and this key is not pinned`);
    this.from = from;
    this.to = to;
  }
}

/** The server responded with an error status. `code` is stable and meant for programs (RFC 9457 extension member). */
export class ApiError extends ComplianceOnboardingError {
  override readonly name: string = 'ApiError';
  declare readonly status: number;
  /** `invalid_state_transition`, …; empty if the response was not a problem document (from a proxy, for example). */
  declare readonly code: ProblemCode | '';
  /** Problem document, or null if the body was something else. */
  declare readonly problem: Problem | null;
  /** Parsed body, unchanged. */
  declare readonly body: unknown;
  declare readonly headers: Headers;
  /** Id to name when asking for support. */
  declare readonly requestId: string | null;
  /** Whether the same request may succeed later, according to the problem or, if it does not say, to the status. */
  declare readonly retryable: boolean;

  constructor(response: Response, body: unknown) {
    const { status, headers } = response;
    const record = isRecord(body) ? (body as Partial<Problem & OAuthBody>) : {};
    const problem = typeof record.code === 'string' ? (record as Problem) : null;
    // A browser shows the header to another origin only if the server exposes it; the problem contains the id too.
    const requestId = requestIdOf(headers) ?? problem?.requestId ?? null;
    const code = problem?.code ?? '';
    const told = problem?.detail ?? problem?.title ?? record.error_description;
    super(
      [status, code || record.error, told && `– ${told}`, faultsOf(problem), requestId && `(request ${requestId})`]
        .filter(Boolean)
        .join(' '),
    );
    Object.assign(this, {
      status,
      code,
      problem,
      body,
      headers,
      requestId,
      retryable: problem?.retryable ?? isPassing(status),
    });
  }

  /** Milliseconds that the server asks to wait before the next request, or null. */
  get retryAfter(): number | null {
    return askedWait(this.status, this.headers);
  }
}

export function requestIdOf(headers: Headers): string | null {
  return headers.get('x-request-id');
}

/**
 * Lists the members at fault, by pointer and code: `[/applicant/taxId (required); …]`, without the messages, which may
 * quote what was sent.
 */
function faultsOf(problem: Problem | null): string | false {
  const faults = problem?.errors;
  // A problem may come from another server and be malformed.
  return (
    Array.isArray(faults) &&
    faults.length > 0 &&
    `[${(faults as (Partial<FieldError> | null)[])
      .slice(0, MOST_FAULTS)
      .map((fault) => `${fault?.pointer ?? fault?.parameter ?? 'request'} (${fault?.code})`)
      .join('; ')}${faults.length > MOST_FAULTS ? ' …' : ''}]`
  );
}

/** Returns whether the status is temporary: too late, early or many, or an error of the server other than 501. */
export function isPassing(status: number): boolean {
  return [408, 425, 429].includes(status) || (status >= 500 && status !== 501);
}

export class BadRequestError extends ApiError {
  override readonly name = 'BadRequestError';
}
export class AuthenticationError extends ApiError {
  override readonly name = 'AuthenticationError';
}
export class PermissionDeniedError extends ApiError {
  override readonly name = 'PermissionDeniedError';
}
export class NotFoundError extends ApiError {
  override readonly name = 'NotFoundError';
}
export class MethodNotAllowedError extends ApiError {
  override readonly name = 'MethodNotAllowedError';
}
export class NotAcceptableError extends ApiError {
  override readonly name = 'NotAcceptableError';
}
export class ConflictError extends ApiError {
  override readonly name = 'ConflictError';
}
export class GoneError extends ApiError {
  override readonly name = 'GoneError';
}
export class PreconditionFailedError extends ApiError {
  override readonly name = 'PreconditionFailedError';
}
export class PayloadTooLargeError extends ApiError {
  override readonly name = 'PayloadTooLargeError';
}
export class UnsupportedMediaTypeError extends ApiError {
  override readonly name = 'UnsupportedMediaTypeError';
}
/** Every fault of the body at once, in `problem.errors`. */
export class UnprocessableContentError extends ApiError {
  override readonly name = 'UnprocessableContentError';
}
/** Too many failed attempts; wait for `Retry-After`. */
export class LockedError extends ApiError {
  override readonly name = 'LockedError';
}
export class PreconditionRequiredError extends ApiError {
  override readonly name = 'PreconditionRequiredError';
}
export class RateLimitError extends ApiError {
  override readonly name = 'RateLimitError';
}
export class ServerError extends ApiError {
  override readonly name = 'ServerError';
}

/** The token endpoint refused (RFC 6749 §5.2), for example `invalid_client`. */
export class OAuthError extends ApiError {
  override readonly name = 'OAuthError';
  declare readonly body: OAuthBody;

  /** `invalid_client`, `invalid_scope`, … */
  get error(): string {
    return this.body.error;
  }

  get description(): string | null {
    return this.body.error_description ?? null;
  }
}

interface OAuthBody {
  readonly error: string;
  readonly error_description?: string;
}

const BY_STATUS: Readonly<Record<number, new (response: Response, body: unknown) => ApiError>> = {
  400: BadRequestError,
  401: AuthenticationError,
  403: PermissionDeniedError,
  404: NotFoundError,
  405: MethodNotAllowedError,
  406: NotAcceptableError,
  409: ConflictError,
  410: GoneError,
  412: PreconditionFailedError,
  413: PayloadTooLargeError,
  415: UnsupportedMediaTypeError,
  422: UnprocessableContentError,
  423: LockedError,
  428: PreconditionRequiredError,
  429: RateLimitError,
};

export function classForStatus(status: number): new (response: Response, body: unknown) => ApiError {
  return status >= 500 ? ServerError : (BY_STATUS[status] ?? ApiError);
}

export function errorOf(response: Response, body: unknown): ApiError {
  return new (isRecord(body) && typeof body['error'] === 'string' ? OAuthError : classForStatus(response.status))(
    response,
    body,
  );
}

/** Returns the error to throw once `signal` has fired. */
export function abortion(signal: AbortSignal): ComplianceOnboardingError {
  const reason: unknown = signal.reason;
  return reason instanceof ComplianceOnboardingError
    ? reason
    : new AbortError('The call was aborted', { cause: reason });
}

/** Returns the error class for whatever ended an attempt, or a download. */
export function failureOf(error: unknown, signal: AbortSignal | undefined): ComplianceOnboardingError {
  if (error instanceof ComplianceOnboardingError) return error;
  return signal?.aborted ? abortion(signal) : new ConnectionError(error);
}

/** Number of faults in a message; all are in `problem.errors`. */
const MOST_FAULTS = 5;

/** System and undici codes of a connection that was never opened. */
const UNREACHED = /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT)$/;

/** Returns the error with its chain of causes. */
function reasonsOf(error: unknown): (Error & { readonly code?: string })[] {
  return error instanceof Error ? [error, ...reasonsOf(error.cause)] : [];
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
