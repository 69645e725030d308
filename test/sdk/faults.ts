/**
 * Faults between a client and the service, and the result in every client of this repository: the one table that
 * faults.test.ts plays to all of them. `attempts` are the requests that reached the proxy, including those for tokens.
 */
import { STREAM_SCENARIOS } from './stream-faults.ts';
import { always, body, page, problem, type Scenario } from './scenario.ts';

const half = '{"id": "0197f2c8-5b1e-7d3a-a4c2-7e9b0d1f6a21", "status": "dr';
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
  ...STREAM_SCENARIOS,
];
