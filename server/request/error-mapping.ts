/**
 * Converts errors to responses (RFC 9457, or RFC 6749 for the token endpoint). Used by the endpoint and the lifecycle.
 * Only known errors may reach a caller; everything else becomes `internal_error`, so that no message of a library or of
 * the database leaks.
 */
import { OAuthError, Problem, PROBLEM_TYPE, problemDocument, unavailable } from '../contract/problem.ts';
import { DatabaseUnavailable, LockNotAvailable, SerializationFailure, UniqueViolation } from '../database/index.ts';
import { FileMissingError, StorageUnavailable } from '../providers/files/index.ts';
import { inProgress } from './idempotency.ts';
import type { ResponseMessage } from './response.ts';

type ReportableError = Problem | OAuthError;

/** Returns the error that may be reported to a caller, or null if the cause is a defect of the service. */
export function reportableErrorOf(error: unknown): ReportableError | null {
  if (error instanceof Problem || error instanceof OAuthError) return error;
  if (
    error instanceof DatabaseUnavailable ||
    error instanceof SerializationFailure ||
    error instanceof LockNotAvailable
  )
    return unavailable('dependency_unavailable');
  // A committed row proves that its file exists, so the storage has lost its volume or has not mounted it again yet.
  if (error instanceof FileMissingError || error instanceof StorageUnavailable)
    return unavailable('dependency_unavailable');
  // Two calls with one key passed the lock; the other call has committed.
  if (error instanceof UniqueViolation && error.constraint === 'idempotency_record_pkey') return inProgress();
  return null;
}

/** Returns a problem that reveals nothing about the cause. */
export function internalError(): Problem {
  return new Problem('internal_error');
}

export function responseOf(refusal: ReportableError, requestId: string): ResponseMessage {
  const { status } = refusal;
  const headers = headersOf(refusal);
  if (refusal instanceof OAuthError)
    return {
      status,
      headers: { Pragma: 'no-cache', ...headers },
      mediaType: 'application/json',
      body: JSON.stringify(refusal.document()),
    };
  return {
    status,
    headers,
    mediaType: PROBLEM_TYPE,
    body: JSON.stringify(problemDocument(refusal, requestId)),
  };
}

/**
 * Returns the header fields of a refusal: those that were set where HTTP is known, and those that follow from the code
 * and its facts, so that modules need not know any. RFC 9110 §15.5.2 requires a challenge with every 401.
 */
function headersOf(refusal: ReportableError): Readonly<Record<string, string>> {
  if (refusal instanceof OAuthError) return refusal.headers;
  const {
    status,
    code,
    members: { retryAfter },
  } = refusal;
  return {
    ...(typeof retryAfter === 'number' && { 'Retry-After': String(retryAfter) }),
    ...(status === 401 && {
      'WWW-Authenticate': `Bearer realm="api"${code === 'token_revoked' ? ', error="invalid_token"' : ''}`,
    }),
    ...refusal.headers,
  };
}

/** Converts a refusal into an error of RFC 6749, because the token endpoint uses that format for every error. */
export function asOAuthError(refusal: ReportableError): ReportableError {
  if (refusal instanceof OAuthError || refusal.status === 500) return refusal;
  if (refusal.status === 429)
    return new OAuthError('temporarily_unavailable', 'Too many token requests.', 429).with(headersOf(refusal));
  if (refusal.status === 503)
    return new OAuthError('temporarily_unavailable', 'The service cannot answer now.', 503).with(headersOf(refusal));
  return new OAuthError('invalid_request', OAUTH_DESCRIPTIONS[refusal.code] ?? 'The request is malformed.');
}

const OAUTH_DESCRIPTIONS: Readonly<Record<string, string>> = {
  unknown_parameter: 'Parameters belong into the body, not into the query.',
  unsupported_media_type: 'The body must be application/x-www-form-urlencoded.',
  validation_failed: 'A parameter is missing, doubled or too long.',
  payload_too_large: 'The body is too large.',
  not_acceptable: 'The answer is application/json.',
};
