/**
 * Faults in files that are downloaded, in lists and feeds that are read page by page, and at the token endpoint. Used
 * by faults.ts.
 */
import type { Answer } from './support/fault-proxy.ts';
import { always, body, page, problem, type Scenario } from './scenario.ts';

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

const event = (number: number): object => ({
  eventId: `fre_${number}`,
  environment: 'live',
  fundsRecoveryId: '0197f2c8-5b1e-7d3a-a4c2-7e9b0d1f6a21',
  eventType: 'FUNDS_RECOVERY_TRACKED',
  status: 'TRACKED',
  timestamp: '2026-11-21T12:00:00.000Z',
  rawPayload: null,
});

export const STREAM_SCENARIOS: readonly Scenario[] = [
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
