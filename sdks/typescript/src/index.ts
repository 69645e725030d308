/**
 * Public names of the package: the client, its errors, pages and feeds, and the generated types of the contract.
 * `Parts` are the inputs of an operation that is called by its id, `client.request(id, parts)`, and `Requests` lists
 * the inputs and the answer of every id. `Outcome` says whether a failed call may have taken effect. `Follow` iterates
 * over the events of a feed without end.
 */
export { ComplianceOnboarding, type Parts } from './client.ts';
export {
  AbortError,
  ApiError,
  AuthenticationError,
  BadRequestError,
  ComplianceOnboardingError,
  ConflictError,
  ConnectionError,
  DeadlineExceededError,
  EnvironmentChangedError,
  GoneError,
  InvalidResponseError,
  LockedError,
  MethodNotAllowedError,
  NotAcceptableError,
  NotFoundError,
  OAuthError,
  PaginationError,
  PayloadTooLargeError,
  PermissionDeniedError,
  PreconditionFailedError,
  PreconditionRequiredError,
  RateLimitError,
  RedirectError,
  ServerError,
  TimeoutError,
  UnprocessableContentError,
  UnsupportedMediaTypeError,
} from './core/errors.ts';
export type { Outcome } from './core/errors.ts';
export { Download } from './core/download.ts';
export { fileFromPath, toFile } from './core/files.ts';
export type { NamedFile, Upload, Uploadable } from './core/files.ts';
export { Follow } from './core/follow.ts';
export type { FollowOptions } from './core/follow.ts';
export type { LogEvent, Logger, LogLevel } from './core/log.ts';
export type { ClientOptions, Fetch, FetchInit, FetchOptions, FetchResponse, RequestOptions } from './core/options.ts';
export { Page, PagePromise } from './core/pagination.ts';
export type { ProblemClass } from './core/problem-class.ts';
export { ApiPromise } from './core/promise.ts';
export type { WithResponse } from './core/promise.ts';
export { TokenCache } from './core/token-cache.ts';
export type * from './generated/resources/index.ts';
export type * from './generated/resources/header-options.ts';
export type { Requests } from './generated/resources/requests.ts';
export type * from './generated/resources/schemas.ts';
export type * from './generated/resources/operation-errors.ts';
export * from './generated/resources/problems.ts';
export { personalData, type PersonalData } from './generated/resources/personal-data.ts';
export { API_VERSION, VERSION } from './generated/resources/contract.ts';
