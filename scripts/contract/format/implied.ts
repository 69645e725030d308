/**
 * The parameters, statuses and headers that operations of each kind have. Used by `make format` and by the pages and
 * tests that must not repeat them. An entry here changes every operation of its kind.
 */
import { namesOn } from '../dialect.ts';

/** Properties of an operation that decide which members are implied. */
export interface Facts {
  readonly method: string;
  /** `security: []` */
  readonly isPublic: boolean;
  readonly takesBody: boolean;
  /** The path contains the id of a resource. */
  readonly namesResource: boolean;
  /** The operation takes `If-Match`. */
  readonly isConditional: boolean;
  readonly isIdempotent: boolean;
  readonly needsStepUp: boolean;
  readonly isSealed: boolean;
  readonly isList: boolean;
  /** A success response has a body. */
  readonly answersBody: boolean;
}

interface Implied {
  readonly when: (facts: Facts) => boolean;
  readonly because: string;
}
/** `isLast`: placed after the operation's own parameters instead of before them. */
export interface ImpliedParameter extends Implied {
  readonly parameter: string;
  readonly isLast: boolean;
}
export interface ImpliedStatus extends Implied {
  readonly status: string;
  readonly response: string;
}
export interface ImpliedHeader {
  readonly header: string;
  readonly component: string;
  readonly when: (facts: Facts, status: number, isVersioned: boolean) => boolean;
  readonly because: string;
}

const always = () => true;

/** Implied header and query parameters, by component, in the order in which they are written. */
export const PARAMETERS: readonly ImpliedParameter[] = [
  {
    parameter: 'IdempotencyKey',
    isLast: false,
    when: ({ isIdempotent }) => isIdempotent,
    because: 'with `x-idempotent`',
  },
  {
    parameter: 'TotpCode',
    isLast: false,
    when: ({ needsStepUp }) => needsStepUp,
    because: 'with `x-step-up`',
  },
  {
    parameter: 'Limit',
    isLast: true,
    when: ({ isList }) => isList,
    because: 'with `x-pagination`',
  },
  {
    parameter: 'Cursor',
    isLast: true,
    when: ({ isList }) => isList,
    because: 'with `x-pagination`',
  },
];

/**
 * Refusals that every operation of a kind can give, before its handler runs or because of a rule of the dialect. For
 * each status, the first line that applies counts.
 */
export const STATUSES: readonly ImpliedStatus[] = [
  {
    status: '400',
    response: 'BadRequest',
    when: always,
    because: 'always',
  },
  {
    status: '401',
    response: 'Unauthorized',
    when: ({ isPublic }) => !isPublic,
    because: 'with `security`',
  },
  {
    status: '403',
    response: 'Forbidden',
    when: ({ isPublic }) => !isPublic,
    because: 'with `security`',
  },
  {
    status: '404',
    response: 'NotFound',
    when: ({ namesResource, isSealed }) => namesResource || isSealed,
    because: 'a path parameter, or `x-sealed`',
  },
  {
    status: '406',
    response: 'NotAcceptable',
    when: ({ answersBody }) => answersBody,
    because: 'a success with a body',
  },
  {
    status: '409',
    response: 'IdempotencyConflict',
    when: ({ isIdempotent }) => isIdempotent,
    because: 'with `x-idempotent`',
  },
  {
    status: '412',
    response: 'PreconditionFailed',
    when: ({ isConditional }) => isConditional,
    because: 'the parameter `IfMatch`',
  },
  {
    status: '413',
    response: 'PayloadTooLarge',
    when: ({ takesBody }) => takesBody,
    because: 'with `requestBody`',
  },
  {
    status: '415',
    response: 'UnsupportedMediaType',
    when: ({ takesBody }) => takesBody,
    because: 'with `requestBody`',
  },
  {
    status: '422',
    response: 'UnprocessableOrKeyReused',
    when: ({ takesBody, isIdempotent }) => takesBody && isIdempotent,
    because: 'with `requestBody` and `x-idempotent`',
  },
  {
    status: '422',
    response: 'UnprocessableContent',
    when: ({ takesBody }) => takesBody,
    because: 'with `requestBody`',
  },
  {
    status: '429',
    response: 'TooManyRequests',
    when: always,
    because: 'always',
  },
  {
    status: '503',
    response: 'ServiceUnavailable',
    when: always,
    because: 'always',
  },
];

const isSuccess = (status: number): boolean => status < 300;

/**
 * Implied headers of the responses that an operation describes itself, by component, in the order in which they are
 * written.
 */
export const HEADERS: readonly ImpliedHeader[] = [
  {
    header: 'X-Request-Id',
    component: 'RequestId',
    when: always,
    because: 'always',
  },
  {
    header: 'X-Environment',
    component: 'Environment',
    when: ({ isPublic }, status) => !isPublic && isSuccess(status),
    because: 'with `security`, on a success',
  },
  {
    header: 'WWW-Authenticate',
    component: 'WwwAuthenticate',
    when: (_, status) => status === 401,
    because: 'a 401',
  },
  {
    header: 'Location',
    component: 'Location',
    when: (_, status) => status === 201,
    because: 'a 201',
  },
  {
    header: 'ETag',
    component: 'ETag',
    because: 'a success whose schema has `version`, of a read and of what takes `IfMatch`',
    when: ({ method, isConditional }, status, isVersioned) =>
      isSuccess(status) && isVersioned && (method === 'get' || isConditional),
  },
  {
    header: 'Idempotent-Replayed',
    component: 'IdempotentReplayed',
    when: ({ isIdempotent }, status) => isIdempotent && isSuccess(status),
    because: 'with `x-idempotent`, on a success',
  },
  {
    header: 'Retry-After',
    component: 'RetryAfter',
    when: ({ isIdempotent }, status) => status === 423 || (isIdempotent && status === 409),
    because: 'a 423, and a 409 with `x-idempotent`',
  },
  {
    header: 'RateLimit',
    component: 'RateLimit',
    when: (_, status) => isSuccess(status),
    because: 'a success',
  },
  {
    header: 'RateLimit-Policy',
    component: 'RateLimitPolicy',
    when: (_, status) => isSuccess(status),
    because: 'a success',
  },
];

/**
 * Order of members, the same in all operations, so that readers know where to look. Members without a fixed position go
 * where `…` is.
 */
export const ORDERS = {
  operation: [
    'operationId',
    'summary',
    'description',
    'externalDocs',
    'tags',
    'deprecated',
    'security',
    ...namesOn('operation'),
    '…',
    'parameters',
    'requestBody',
    'responses',
    'callbacks',
    'servers',
  ],
  pathItem: ['summary', 'description', 'servers', 'parameters', '…'],
  response: ['description', 'headers', 'content', 'links', '…'],
  headers: [
    'X-Request-Id',
    'X-Environment',
    'WWW-Authenticate',
    '…',
    'Idempotent-Replayed',
    'Retry-After',
    'RateLimit',
    'RateLimit-Policy',
  ],
  requestBody: ['required', 'description', 'content', '…'],
  media: ['schema', 'encoding', 'example', 'examples', '…'],
} as const satisfies Readonly<Record<string, readonly string[]>>;

export function rankIn(order: readonly string[], name: string): number {
  const place = order.indexOf(name);
  return place === -1 ? order.indexOf('…') : place;
}
