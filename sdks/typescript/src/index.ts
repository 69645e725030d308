export { ComplianceOnboarding } from './client.ts';
export {
  AbortError, ApiError, AuthenticationError, BadRequestError, ComplianceOnboardingError, ConflictError, ConnectionError, DeadlineExceededError,
  GoneError, LockedError, MethodNotAllowedError, NotAcceptableError, NotFoundError, OAuthError, PaginationError, PayloadTooLargeError,
  PermissionDeniedError, PreconditionFailedError, PreconditionRequiredError, RateLimitError, RedirectError, ServerError, TimeoutError,
  UnprocessableContentError, UnsupportedMediaTypeError,
} from './core/errors.ts';
export { Download } from './core/download.ts';
export { fileFromPath, toFile } from './core/files.ts';
export type { NamedFile, Upload, Uploadable } from './core/files.ts';
export { Follow } from './core/follow.ts';
export type { FollowOptions } from './core/follow.ts';
export type { LogEvent, Logger, LogLevel } from './core/log.ts';
export type { ClientOptions, RequestOptions } from './core/options.ts';
export { Page, PagePromise } from './core/pagination.ts';
export type { ProblemClass } from './core/problem-class.ts';
export { ApiPromise } from './core/promise.ts';
export type { WithResponse } from './core/promise.ts';
export { TokenCache } from './core/token-cache.ts';
export type * from './generated/resources/index.ts';
export type * from './generated/resources/header-options.ts';
export type * from './generated/resources/schemas.ts';
export * from './generated/resources/problems.ts';
export { personalData, type PersonalData } from './generated/resources/personal-data.ts';
export { VERSION } from './generated/resources/contract.ts';
