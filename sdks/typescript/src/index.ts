export { ComplianceOnboarding } from './client.ts';
export {
  AbortError, ApiError, AuthenticationError, BadRequestError, ComplianceError, ConflictError, ConnectionError, GoneError, InternalServerError,
  LockedError, NotAcceptableError, NotFoundError, OAuthError, PaginationError, PayloadTooLargeError, PermissionDeniedError, PreconditionFailedError,
  RateLimitError, TimeoutError, UnprocessableContentError, UnsupportedMediaTypeError,
} from './core/errors.ts';
export { Download, toFile } from './core/files.ts';
export type { NamedFile, Upload, Uploadable } from './core/files.ts';
export { Follow } from './core/follow.ts';
export type { FollowOptions } from './core/follow.ts';
export type { LogEvent, Logger } from './core/log.ts';
export type { ClientOptions, RequestOptions } from './core/options.ts';
export { Page, PagePromise } from './core/pagination.ts';
export { ApiPromise } from './core/promise.ts';
export type { WithResponse } from './core/promise.ts';
export type * from './generated/resources/index.ts';
export type * from './generated/resources/header-options.ts';
export type * from './generated/resources/schemas.ts';
export { VERSION } from './version.ts';
