/**
 * This file answers the operations of the simulated directory (DICT API): notifications, recoveries, reports and
 * refunds. Used by answering.ts.
 */
import type { Document } from '../../../providers/directory/index.ts';
import type { Notification, Recovery, Refund, Report, Run, State } from '../core/model.ts';
import { type Instant, notificationWindow } from '../core/values.ts';
import { graphDocument, notificationDocument, recoveryDocument, refundDocument, reportDocument } from './documents.ts';
import type { DirectoryPolicy } from './rate-limits.ts';
import {
  type Answer,
  badRequest,
  comparePositions,
  decodeCursor,
  type DirectoryRequest,
  encodeCursor,
  forbidden,
  notFound,
  pageAfter,
  type Position,
  type Query,
} from './request.ts';

const pageSize = 200;

type Listed = Notification & { readonly listedAt: Instant };

/** GET /event-notifications: notifications of the last seven days after the cursor, oldest first. */
async function listEventNotifications(request: DirectoryRequest): Promise<Answer> {
  const { query, state, generation, disturbedBy } = request;
  query.participant(state.ispb);
  query.flag('IncludeIndirectParticipants');
  const begin = state.now - notificationWindow;
  const position = await positionOf(request, begin);
  const listed = state.notifications
    .filter((notification): notification is Listed => isListed(notification, begin, state))
    .sort((a, b) => comparePositions(listingPosition(a), listingPosition(b)));
  const { page, more } = pageAfter(listed, position, pageSize, listingPosition);
  const [first, last] = [page[0], page.at(-1)];
  const documents = page.map(notificationDocument);
  if (last !== undefined && (await disturbedBy('unknown_enum'))) documents.push(unknownEvent(last));
  if (page.length > 1 && (await disturbedBy('reversed_page'))) documents.reverse();
  const following = more && last !== undefined ? listingPosition(last) : null;
  // The fault `duplicate_page` repeats a page: its cursor points before its own first entry.
  const isRepeated = first !== undefined && (await disturbedBy('duplicate_page'));
  const next = isRepeated ? { at: first.listedAt - 1, id: '0' } : following;
  return {
    root: 'ListEventNotificationsResponse',
    content: {
      HasMoreElements: String(next !== null),
      NextCursor: next === null ? undefined : encodeCursor(generation, next),
      EventNotifications: documents,
    },
  };
}

async function positionOf(
  { query, generation, disturbedBy }: DirectoryRequest,
  begin: Instant,
): Promise<Position | null> {
  const cursor = query.text('Cursor');
  if (cursor === null) return null;
  const position = decodeCursor(cursor, generation);
  if (position.at < begin) throw badRequest('Cursor is too old');
  if (await disturbedBy('cursor_invalidated')) throw badRequest('Cursor is not valid');
  return position;
}

function isListed({ listedAt }: Notification, begin: Instant, { now }: State): boolean {
  return listedAt !== null && listedAt >= begin && listedAt <= now;
}

function listingPosition({ listedAt, id }: Listed): Position {
  return { at: listedAt, id };
}

/** Returns an event that the API does not have yet, with an unknown element. */
function unknownEvent(notification: Notification): Document {
  return {
    ...notificationDocument(notification),
    Id: `${notification.id}0`,
    Event: 'FUNDS_RECOVERY_ESCALATED',
    Priority: 'HIGH',
  };
}

type WithRecovery<T> = T & { readonly recovery: Recovery };

/** GET /infraction-reports/: ordered by time of the last change, without a cursor. */
async function listInfractionReports({ query, state }: DirectoryRequest): Promise<Answer> {
  query.participant(state.ispb);
  const [reporter, counterparty] = [query.flag('IsReporter'), query.flag('IsCounterparty')];
  const either = reporter === counterparty;
  const details = query.flag('IncludeDetails');
  const reports = state.runs
    .flatMap(({ recovery, reports: all }): WithRecovery<Report>[] =>
      recovery === null ? [] : all.map((report) => ({ ...report, recovery })),
    )
    .filter(
      (report) =>
        ((either || reporter) && report.reporter === state.ispb) ||
        ((either || counterparty) && report.counterparty === state.ispb),
    );
  const { page, more } = pageAfter(matching(query, reports), null, query.integer('Limit', 20, 200), changePosition);
  return {
    root: 'ListInfractionReportsResponse',
    content: {
      HasMoreElements: String(more),
      InfractionReports: page.map((report): Document => reportDocument(report.recovery, report, details)),
    },
  };
}

/** GET /refunds/: ordered by time of the last change, with a cursor. */
async function listRefunds({ query, state, generation }: DirectoryRequest): Promise<Answer> {
  query.participant(state.ispb);
  const requesting = query.oneOf('ParticipantRole', ['REQUESTING', 'CONTESTED']) === 'REQUESTING';
  const refunds = state.runs
    .flatMap(({ recovery, refunds: all }): WithRecovery<Refund>[] =>
      recovery === null ? [] : all.map((refund) => ({ ...refund, recovery })),
    )
    .filter(({ recovery, report }) => (requesting ? recovery.creator : report.counterparty) === state.ispb);
  const cursor = query.text('Cursor');
  const position = cursor === null ? null : decodeCursor(cursor, generation);
  const { page, more } = pageAfter(
    matching(query, refunds),
    position,
    query.integer('Limit', 200, 200),
    changePosition,
  );
  const last = page.at(-1);
  return {
    root: 'ListRefundsResponse',
    content: {
      HasMoreElements: String(more),
      NextCursor: more && last !== undefined ? encodeCursor(generation, changePosition(last)) : undefined,
      Refunds: page.map((refund): Document => refundDocument(refund.recovery, refund)),
    },
  };
}

/** Filters by time of the last change. Both bounds are inclusive. */
function matching<T extends { readonly id: string; readonly status: string; readonly modifiedAt: number }>(
  query: Query,
  entries: readonly T[],
): T[] {
  const after = query.time('ModifiedAfter') ?? -Infinity;
  const before = query.time('ModifiedBefore') ?? Infinity;
  const statuses = query.all('Status');
  return entries
    .filter(
      ({ status, modifiedAt }) =>
        modifiedAt >= after && modifiedAt <= before && (statuses.length === 0 || statuses.includes(status)),
    )
    .sort((a, b) => comparePositions(changePosition(a), changePosition(b)));
}

function changePosition({ modifiedAt, id }: { readonly modifiedAt: number; readonly id: string }): Position {
  return { at: modifiedAt, id };
}

type Begun = Run & { readonly recovery: NonNullable<Run['recovery']> };

/** GET /funds-recoveries/{id} */
async function getFundsRecovery({ state, disturbedBy }: DirectoryRequest, id: string): Promise<Answer> {
  const { recovery } = runOf(state, id);
  const document = recoveryDocument(recovery);
  const strange = (await disturbedBy('unknown_enum')) ? { Status: 'ESCALATED', Priority: 'HIGH' } : {};
  return { root: 'GetFundsRecoveryResponse', content: { FundsRecovery: { ...document, ...strange } } };
}

/** GET /funds-recoveries/{id}/tracking-graph */
async function getTrackingGraph({ state }: DirectoryRequest, id: string): Promise<Answer> {
  const graph = graphDocument(runOf(state, id));
  if (graph === null) throw notFound('No tracking graph');
  return { root: 'GetTrackingGraphResponse', content: { TrackingGraph: graph } };
}

/** GET /funds-recoveries/{id}/infraction-reports */
async function listRecoveryReports({ state }: DirectoryRequest, id: string): Promise<Answer> {
  const { recovery, reports } = ownRun(state, id);
  return {
    root: 'ListFundsRecoveryInfractionReportsResponse',
    content: { InfractionReports: reports.map((report) => reportDocument(recovery, report, true)) },
  };
}

/** GET /funds-recoveries/{id}/refunds */
async function listRecoveryRefunds({ state }: DirectoryRequest, id: string): Promise<Answer> {
  const { recovery, refunds } = ownRun(state, id);
  return {
    root: 'ListFundsRecoveryRefundsResponse',
    content: { Refunds: refunds.map((refund) => refundDocument(recovery, refund)) },
  };
}

/** Finds a recovery. The participant of a sandbox is a party to all its recoveries, so no further check is needed. */
function runOf(state: State, id: string): Begun {
  const run = state.runs.find((each): each is Begun => each.recovery?.id === id.toLowerCase());
  if (run === undefined) throw notFound('No such recovery');
  return run;
}

function ownRun(state: State, id: string): Begun {
  const run = runOf(state, id);
  if (run.recovery.creator !== state.ispb) throw forbidden('The creator alone may list these');
  return run;
}

interface Route {
  readonly policy: DirectoryPolicy | null;
  readonly answer: (request: DirectoryRequest) => Promise<Answer>;
}

const base = '/api/v2';
const ofRecovery: Readonly<Record<string, (request: DirectoryRequest, id: string) => Promise<Answer>>> = {
  '': getFundsRecovery,
  '/tracking-graph': getTrackingGraph,
  '/infraction-reports': listRecoveryReports,
  '/refunds': listRecoveryRefunds,
};

/**
 * Finds the operation of a path; null if there is none. Paths of policies are answered by the token buckets
 * (`policyOf`).
 */
export function routeOf(path: string, query: Query): Route | null {
  switch (path) {
    case `${base}/event-notifications`:
      return { policy: 'EVENT_LIST', answer: listEventNotifications };
    case `${base}/infraction-reports/`:
      return {
        policy:
          query.text('IsReporter') === null && query.text('IsCounterparty') === null
            ? 'INFRACTION_REPORTS_LIST_WITHOUT_ROLE'
            : 'INFRACTION_REPORTS_LIST_WITH_ROLE',
        answer: listInfractionReports,
      };
    case `${base}/refunds/`:
      return { policy: 'REFUND_LIST_WITH_ROLE', answer: listRefunds };
  }
  const [, id, part = ''] = /^\/api\/v2\/funds-recoveries\/([\da-fA-F-]{36})(\/[a-z-]+)?$/.exec(path) ?? [];
  const handler = Object.hasOwn(ofRecovery, part) ? ofRecovery[part] : undefined;
  return id === undefined || handler === undefined ? null : { policy: null, answer: (request) => handler(request, id) };
}

/** Returns the rate-limit policy in a path; null for other paths. */
export function policyOf(path: string): string | null {
  return /^\/api\/v2\/policies\/(\w{1,60})$/.exec(path)?.[1] ?? null;
}
