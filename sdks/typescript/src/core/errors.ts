import { askedWait } from './retry-after.ts';
import type { FieldError, Problem, ProblemCode } from '../generated/types.gen.ts';

/**
 * What is known of the effect of a call that failed: `not_sent`: nothing of it reached the service; `refused`: the service did nothing;
 * `unknown`: it may have taken effect.
 */
export type Outcome = 'not_sent' | 'refused' | 'unknown';

/** Root of every error that this package throws on purpose. The fields below it are only declared, since a field that is written out weighs in a bundle. */
export class ComplianceOnboardingError extends Error {
  override readonly name: string = 'ComplianceOnboardingError';
  /** Of all attempts together. */
  readonly outcome: Outcome = 'not_sent';
  /** Under which `client.resume(error)` sends the call again; null if it has none. */
  readonly idempotencyKey: string | null = null;
}

/** No answer arrived, or not the whole of it: DNS, TCP, TLS, or a body that broke off. The reason is in `cause`. */
export class ConnectionError extends ComplianceOnboardingError {
  override readonly name: string = 'ConnectionError';
  /** The server was never reached, so the request cannot have taken effect. */
  declare readonly unreached: boolean;

  constructor(cause: unknown) {
    const reasons = reasonsOf(cause);
    super(`Connection failed: ${reasons.map(({ message, code }) => message || code).join(': ') || String(cause)}`, { cause });
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

/** The server answered with a redirect. It was not followed: the credential would have travelled to wherever it points. */
export class RedirectError extends ComplianceOnboardingError {
  override readonly name: string = 'RedirectError';
}

/** A success that is none: its body is no JSON, empty, or not of the kind that the contract promises, as when a proxy answers in place of the service. */
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

/** A list cannot be continued: the server announced more but gave no cursor, or one it had already given. */
export class PaginationError extends ComplianceOnboardingError {
  override readonly name: string = 'PaginationError';
}

/**
 * The feed that is followed has changed from one environment to another: the sandbox switch of the tenant was turned, and it redirects a key
 * that is not pinned. Pin the key (`pinEnvironment`), or follow the other feed from its own cursor.
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

/** The server answered with an error status. `code` is stable and meant for programs (RFC 9457 extension member). */
export class ApiError extends ComplianceOnboardingError {
  override readonly name: string = 'ApiError';
  declare readonly status: number;
  /** `invalid_state_transition`, …; empty when the answer was no problem document (a proxy, for example). */
  declare readonly code: ProblemCode | '';
  /** The problem document, or null when the body was something else. */
  declare readonly problem: Problem | null;
  /** The parsed body as it came. */
  declare readonly body: unknown;
  declare readonly headers: Headers;
  /** Name this id when asking for help. */
  declare readonly requestId: string | null;
  /** The same request may succeed later: the problem says so or, where it says nothing, the status. */
  declare readonly retryable: boolean;

  constructor(response: Response, body: unknown) {
    const { status, headers } = response;
    const record = isRecord(body) ? body as Partial<Problem & OAuthBody> : {};
    const problem = typeof record.code === 'string' ? record as Problem : null;
    // A browser shows the header to another origin only if the server exposes it; the problem carries the id too.
    const requestId = requestIdOf(headers) ?? problem?.requestId ?? null;
    const code = problem?.code ?? '';
    const told = problem?.detail ?? problem?.title ?? record.error_description;
    super([status, code || record.error, told && `– ${told}`, faultsOf(problem), requestId && `(request ${requestId})`].filter(Boolean).join(' '));
    Object.assign(this, { status, code, problem, body, headers, requestId, retryable: problem?.retryable ?? isPassing(status) });
  }

  /** Milliseconds that the server asks to wait before the next request, or null. */
  get retryAfter(): number | null {
    return askedWait(this.status, this.headers);
  }
}

export function requestIdOf(headers: Headers): string | null {
  return headers.get('x-request-id');
}

/** Which members are at fault, by pointer and code: `[/applicant/taxId (required); …]`. The words about them may quote what was sent. */
function faultsOf(problem: Problem | null): string | false {
  const faults = problem?.errors;
  // A problem may come from elsewhere, and be malformed.
  return Array.isArray(faults) && faults.length > 0
    && `[${(faults as (Partial<FieldError> | null)[]).slice(0, MOST_FAULTS).map((fault) => `${fault?.pointer ?? fault?.parameter ?? 'request'} (${fault?.code})`).join('; ')}${faults.length > MOST_FAULTS ? ' …' : ''}]`;
}

/** Too late, too early, too many; or the server is at fault, other than by not knowing the method (501). */
export function isPassing(status: number): boolean {
  return [408, 425, 429].includes(status) || (status >= 500 && status !== 501);
}

export class BadRequestError extends ApiError { override readonly name = 'BadRequestError'; }
export class AuthenticationError extends ApiError { override readonly name = 'AuthenticationError'; }
export class PermissionDeniedError extends ApiError { override readonly name = 'PermissionDeniedError'; }
export class NotFoundError extends ApiError { override readonly name = 'NotFoundError'; }
export class MethodNotAllowedError extends ApiError { override readonly name = 'MethodNotAllowedError'; }
export class NotAcceptableError extends ApiError { override readonly name = 'NotAcceptableError'; }
export class ConflictError extends ApiError { override readonly name = 'ConflictError'; }
export class GoneError extends ApiError { override readonly name = 'GoneError'; }
export class PreconditionFailedError extends ApiError { override readonly name = 'PreconditionFailedError'; }
export class PayloadTooLargeError extends ApiError { override readonly name = 'PayloadTooLargeError'; }
export class UnsupportedMediaTypeError extends ApiError { override readonly name = 'UnsupportedMediaTypeError'; }
/** Every fault of the body at once, in `problem.errors`. */
export class UnprocessableContentError extends ApiError { override readonly name = 'UnprocessableContentError'; }
/** Too many failed attempts; wait for `Retry-After`. */
export class LockedError extends ApiError { override readonly name = 'LockedError'; }
export class PreconditionRequiredError extends ApiError { override readonly name = 'PreconditionRequiredError'; }
export class RateLimitError extends ApiError { override readonly name = 'RateLimitError'; }
export class ServerError extends ApiError { override readonly name = 'ServerError'; }

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
  400: BadRequestError, 401: AuthenticationError, 403: PermissionDeniedError, 404: NotFoundError, 405: MethodNotAllowedError, 406: NotAcceptableError, 409: ConflictError,
  410: GoneError, 412: PreconditionFailedError, 413: PayloadTooLargeError, 415: UnsupportedMediaTypeError,
  422: UnprocessableContentError, 423: LockedError, 428: PreconditionRequiredError, 429: RateLimitError,
};

export function classForStatus(status: number): new (response: Response, body: unknown) => ApiError {
  return status >= 500 ? ServerError : (BY_STATUS[status] ?? ApiError);
}

export function errorOf(response: Response, body: unknown): ApiError {
  return new (isRecord(body) && typeof body['error'] === 'string' ? OAuthError : classForStatus(response.status))(response, body);
}

/** What to throw once `signal` has fired. */
export function abortion(signal: AbortSignal): ComplianceOnboardingError {
  const reason: unknown = signal.reason;
  return reason instanceof ComplianceOnboardingError ? reason : new AbortError('The call was aborted', { cause: reason });
}

/** Gives whatever ended an attempt, or a download, its class. */
export function failureOf(error: unknown, signal: AbortSignal | undefined): ComplianceOnboardingError {
  if (error instanceof ComplianceOnboardingError) return error;
  return signal?.aborted ? abortion(signal) : new ConnectionError(error);
}

/** So many of them stand in a message; all are in `problem.errors`. */
const MOST_FAULTS = 5;

/** System and undici codes of a connection that was never opened. */
const UNREACHED = /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT)$/;

/** The error with what caused it, and what caused that. */
function reasonsOf(error: unknown): (Error & { readonly code?: string })[] {
  return error instanceof Error ? [error, ...reasonsOf(error.cause)] : [];
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
