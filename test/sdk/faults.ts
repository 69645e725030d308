/**
 * Faults between a client and the service, and the result in every client of this repository: the one table that
 * faults.test.ts plays to all of them. `attempts` are the requests that reached the proxy, including those for tokens.
 */
import type { OperationId } from '../../server/contract/operation.ts';
import type { Answer, Fault } from './support/fault-proxy.ts';
import type { CallOptions } from './support/sdk.ts';

/**
 * Kinds of calls: a read, a write with an idempotency key or without, a file up or down, a list, a feed, a read that
 * needs a token.
 */
export const OPERATIONS = {
  read: 'getApplication',
  keyed: 'createApplication',
  unkeyed: 'login',
  upload: 'uploadDocument',
  download: 'downloadDocument',
  list: 'listApplications',
  follow: 'listFundsRecoveryEvents',
  token: 'getApplication',
} as const satisfies Readonly<Record<string, OperationId>>;

export interface Scenario {
  readonly name: string;
  readonly kind: keyof typeof OPERATIONS;
  /** Faults of the requests, in order; later requests reach the service, which answers by the contract's examples. */
  readonly faults: readonly Fault[];
  readonly options?: CallOptions;
  /** The client's address has no listener. */
  readonly closed?: true;
  /** Null is success; otherwise the name of the error class in TypeScript, and the outcome that it states. */
  readonly ends: null | readonly [name: string, outcome: 'not_sent' | 'refused' | 'unknown'];
  readonly attempts: number;
  /** Number of pages of a list or events of a feed that the program gets. */
  readonly takes?: number;
}

const always = (fault: Fault): Fault[] => Array.from({ length: 9 }, () => fault);
const problem = (status: number, code: string, members: object = {}): Answer => ({
  status,
  headers: { 'content-type': 'application/problem+json' },
  body: {
    type: `/problems/${code}`,
    title: code,
    status,
    code,
    ...members,
  },
});
const page = (status: number): Answer => ({
  status,
  headers: { 'content-type': 'text/html' },
  body: '<html><h1>Sign in to the network</h1></html>',
});
const body = (value: unknown): Answer => ({ status: 200, body: value });
const file = (then: Answer['then'] & string): Answer => ({
  status: 200,
  headers: { 'content-type': 'application/pdf' },
  body: '%PDF-1.7',
  then,
});
const events = (items: readonly unknown[], cursor: string, hasMore: boolean): Answer => ({
  status: 200,
  headers: { 'content-type': 'application/json', 'x-poll-interval': '0' },
  body: { events: items, cursor, hasMore },
});

const half = '{"id": "0197f2c8-5b1e-7d3a-a4c2-7e9b0d1f6a21", "status": "dr';
const event = (number: number): object => ({
  eventId: `fre_${number}`,
  environment: 'live',
  fundsRecoveryId: '0197f2c8-5b1e-7d3a-a4c2-7e9b0d1f6a21',
  eventType: 'FUNDS_RECOVERY_TRACKED',
  status: 'TRACKED',
  timestamp: '2026-11-21T12:00:00.000Z',
  rawPayload: null,
});
const inProgress = problem(409, 'idempotency_in_progress', { retryable: true });
/** Two seconds are enough for an answer, however busy the test machine is. */
const hasty = { timeout: 2_000, maxRetries: 1 };

export const SCENARIOS: readonly Scenario[] = [
  {
    name: 'cut before it arrives, once',
    kind: 'read',
    faults: ['before'],
    ends: null,
    attempts: 2,
  },
  {
    name: 'cut, always',
    kind: 'read',
    faults: always('before'),
    ends: ['ConnectionError', 'unknown'],
    attempts: 3,
  },
  {
    name: 'cut in the middle of the answer, once',
    kind: 'read',
    faults: ['middle'],
    ends: null,
    attempts: 2,
  },
  {
    name: 'nobody listens',
    kind: 'read',
    faults: [],
    closed: true,
    ends: ['ConnectionError', 'not_sent'],
    attempts: 0,
  },
  {
    name: 'no answer in time',
    kind: 'read',
    faults: always('silence'),
    options: hasty,
    ends: ['TimeoutError', 'unknown'],
    attempts: 2,
  },
  {
    name: 'the deadline passes',
    kind: 'read',
    faults: always('silence'),
    options: { deadline: 2_000 },
    ends: ['DeadlineExceededError', 'unknown'],
    attempts: 1,
  },
  {
    name: '503 once',
    kind: 'read',
    faults: [503],
    ends: null,
    attempts: 2,
  },
  {
    name: '500, always',
    kind: 'read',
    faults: always(500),
    ends: ['ServerError', 'unknown'],
    attempts: 3,
  },
  {
    name: '429 with decimals of a second',
    kind: 'read',
    faults: [{ status: 429, headers: { 'retry-after': '0.2' } }],
    ends: null,
    attempts: 2,
  },
  {
    name: '429 for longer than a minute',
    kind: 'read',
    faults: [{ status: 429, headers: { 'retry-after': '61' } }],
    ends: ['RateLimitError', 'refused'],
    attempts: 1,
  },
  {
    name: '302',
    kind: 'read',
    faults: [{ status: 302, headers: { location: '/elsewhere' } }],
    ends: ['RedirectError', 'refused'],
    attempts: 1,
  },
  {
    name: '200 with HTML, always',
    kind: 'read',
    faults: always(page(200)),
    ends: ['InvalidResponseError', 'unknown'],
    attempts: 3,
  },
  {
    name: '200 with half of a record, once',
    kind: 'read',
    faults: [body(half)],
    ends: null,
    attempts: 2,
  },
  {
    name: '200 with nothing, always',
    kind: 'read',
    faults: always(body('')),
    ends: ['InvalidResponseError', 'unknown'],
    attempts: 3,
  },
  {
    name: '200 with a list in place of a record, always',
    kind: 'read',
    faults: always(body([])),
    ends: ['InvalidResponseError', 'unknown'],
    attempts: 3,
  },

  {
    name: 'cut after it took effect, once',
    kind: 'keyed',
    faults: ['after'],
    ends: null,
    attempts: 2,
  },
  {
    name: 'cut after it took effect, always',
    kind: 'keyed',
    faults: always('after'),
    ends: ['ConnectionError', 'unknown'],
    attempts: 3,
  },
  {
    name: 'no answer in time, once',
    kind: 'keyed',
    faults: ['silence'],
    options: hasty,
    ends: null,
    attempts: 2,
  },
  {
    name: '503, then refused',
    kind: 'keyed',
    faults: [503, problem(422, 'some_code')],
    ends: ['UnprocessableContentError', 'refused'],
    attempts: 2,
  },
  {
    name: '503, then forbidden',
    kind: 'keyed',
    faults: [503, problem(403, 'some_code')],
    ends: ['PermissionDeniedError', 'unknown'],
    attempts: 2,
  },
  {
    name: '409 while the first still runs, always',
    kind: 'keyed',
    faults: always(inProgress),
    ends: ['ConflictError', 'unknown'],
    attempts: 3,
  },
  {
    name: '409 for another reason',
    kind: 'keyed',
    faults: [problem(409, 'some_code')],
    ends: ['ConflictError', 'refused'],
    attempts: 1,
  },
  {
    name: '502 of a gateway, always',
    kind: 'keyed',
    faults: always(page(502)),
    ends: ['ServerError', 'unknown'],
    attempts: 3,
  },
  {
    name: '201 with half of a record, always',
    kind: 'keyed',
    faults: always({ status: 201, body: half }),
    ends: ['InvalidResponseError', 'unknown'],
    attempts: 3,
  },

  {
    name: 'cut after it took effect',
    kind: 'unkeyed',
    faults: ['after'],
    ends: ['ConnectionError', 'unknown'],
    attempts: 1,
  },
  {
    name: '503',
    kind: 'unkeyed',
    faults: [503],
    ends: ['ServerError', 'unknown'],
    attempts: 1,
  },
  {
    name: '429 once',
    kind: 'unkeyed',
    faults: [429],
    ends: null,
    attempts: 2,
  },
  {
    name: '200 with HTML',
    kind: 'unkeyed',
    faults: [page(200)],
    ends: ['InvalidResponseError', 'unknown'],
    attempts: 1,
  },

  {
    name: 'cut before it arrives, once',
    kind: 'upload',
    faults: ['before'],
    ends: null,
    attempts: 2,
  },
  {
    name: 'cut after it took effect, then refused',
    kind: 'upload',
    faults: ['after', problem(413, 'some_code')],
    ends: ['PayloadTooLargeError', 'refused'],
    attempts: 2,
  },

  {
    name: 'stalls in the middle',
    kind: 'download',
    faults: [file('stalls')],
    options: { idleTimeout: 400 },
    ends: ['TimeoutError', 'unknown'],
    attempts: 1,
  },
  {
    name: 'breaks off in the middle',
    kind: 'download',
    faults: [file('breaks')],
    ends: ['ConnectionError', 'unknown'],
    attempts: 1,
  },

  {
    name: '200 without items, always',
    kind: 'list',
    faults: always(body({ cursor: null, hasMore: false })),
    ends: ['InvalidResponseError', 'unknown'],
    attempts: 3,
    takes: 0,
  },
  {
    name: 'the second page is cut, once',
    kind: 'list',
    faults: [
      body({ items: [], cursor: 'c1', hasMore: true }),
      'before',
      body({ items: [], cursor: null, hasMore: false }),
    ],
    ends: null,
    attempts: 3,
    takes: 2,
  },

  {
    name: '503, HTML, then events',
    kind: 'follow',
    faults: [503, page(200), events([event(1)], 'c1', false)],
    ends: null,
    attempts: 3,
    takes: 1,
  },
  {
    name: 'an event that is none',
    kind: 'follow',
    faults: [events([event(1), null, event(2)], 'c1', true), events([event(3)], 'c2', false)],
    ends: null,
    attempts: 2,
    takes: 4,
  },
  {
    name: '403',
    kind: 'follow',
    faults: [problem(403, 'some_code')],
    ends: ['PermissionDeniedError', 'refused'],
    attempts: 1,
    takes: 0,
  },

  {
    name: 'the token endpoint fails, once',
    kind: 'token',
    faults: [503],
    ends: null,
    attempts: 3,
  },
  {
    name: 'the token endpoint refuses the client',
    kind: 'token',
    faults: [{ status: 401, body: { error: 'invalid_client' } }],
    ends: ['OAuthError', 'not_sent'],
    attempts: 1,
  },
  {
    name: 'the token is refused, once',
    kind: 'token',
    faults: ['none', problem(401, 'some_code')],
    ends: null,
    attempts: 4,
  },
];
