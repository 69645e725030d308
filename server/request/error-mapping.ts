import { OAuthError, Problem, PROBLEM_TYPE, problemDocument, unavailable } from '../contract/problem.ts';
import { DatabaseUnavailable, LockNotAvailable, SerializationFailure, UniqueViolation } from '../database/index.ts';
import { FileMissingError, StorageUnavailable } from '../providers/files/index.ts';
import { inProgress } from './idempotency.ts';
import type { ResponseMessage } from './response.ts';

type ReportableError = Problem | OAuthError;

/** Every error as something that may be said to a caller; null when it is a defect of ours. */
export function reportableErrorOf(error: unknown): ReportableError | null {
  if (error instanceof Problem || error instanceof OAuthError) return error;
  if (error instanceof DatabaseUnavailable || error instanceof SerializationFailure || error instanceof LockNotAvailable) return unavailable('dependency_unavailable');
  // A missing file whose row is committed exists: the storage has lost its volume, or has not got it back yet.
  if (error instanceof FileMissingError || error instanceof StorageUnavailable) return unavailable('dependency_unavailable');
  // Two calls with one key slipped past the lock; the other one has committed.
  if (error instanceof UniqueViolation && error.constraint === 'idempotency_record_pkey') return inProgress();
  return null;
}

/** Nothing of the cause leaves the service. */
export function internalError(): Problem {
  return new Problem('internal_error');
}

export function responseOf(refusal: ReportableError, requestId: string): ResponseMessage {
  const { status } = refusal;
  const headers = headersOf(refusal);
  return refusal instanceof OAuthError
    ? { status, headers: { Pragma: 'no-cache', ...headers }, mediaType: 'application/json', body: JSON.stringify(refusal.document()) }
    : { status, headers, mediaType: PROBLEM_TYPE, body: JSON.stringify(problemDocument(refusal, requestId)) };
}

/**
 * What a refusal says in headers: those that were set where HTTP is known, and those that follow from the code and its facts,
 * so that modules need to know of none. RFC 9110 §15.5.2 asks for a challenge with every 401.
 */
function headersOf(refusal: ReportableError): Readonly<Record<string, string>> {
  if (refusal instanceof OAuthError) return refusal.headers;
  const { status, code, members: { retryAfter } } = refusal;
  return {
    ...(typeof retryAfter === 'number' && { 'Retry-After': String(retryAfter) }),
    ...(status === 401 && { 'WWW-Authenticate': `Bearer realm="api"${code === 'token_revoked' ? ', error="invalid_token"' : ''}` }),
    ...refusal.headers,
  };
}

/** The token endpoint speaks RFC 6749 whatever went wrong on the way to it. */
export function asOAuthError(refusal: ReportableError): ReportableError {
  if (refusal instanceof OAuthError || refusal.status === 500) return refusal;
  if (refusal.status === 429) return new OAuthError('temporarily_unavailable', 'Too many token requests.', 429).with(headersOf(refusal));
  if (refusal.status === 503) return new OAuthError('temporarily_unavailable', 'The service cannot answer now.', 503).with(headersOf(refusal));
  return new OAuthError('invalid_request', OAUTH_DESCRIPTIONS[refusal.code] ?? 'The request is malformed.');
}

const OAUTH_DESCRIPTIONS: Readonly<Record<string, string>> = {
  unknown_parameter: 'Parameters belong into the body, not into the query.',
  unsupported_media_type: 'The body must be application/x-www-form-urlencoded.',
  validation_failed: 'A parameter is missing, doubled or too long.',
  payload_too_large: 'The body is too large.',
  not_acceptable: 'The answer is application/json.',
};
