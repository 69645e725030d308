import type { Document } from '../../providers/directory/index.ts';
import type { Recovery, Refund, Report } from '../core/model.ts';
import type { Answer, Asked } from './asked.ts';
import { compare, decodeCursor, encodeCursor, pageAfter, type Position } from './cursor.ts';
import { refundDocument, reportDocument } from './documents.ts';
import type { Query } from './query.ts';

type Part<T> = T & { readonly recovery: Recovery };

/** GET /infraction-reports/: by time of the last change, without a cursor. */
export async function listInfractionReports({ query, state }: Asked): Promise<Answer> {
  query.participant(state.ispb);
  const [reporter, counterparty] = [query.flag('IsReporter'), query.flag('IsCounterparty')];
  const either = reporter === counterparty;
  const details = query.flag('IncludeDetails');
  const reports = state.runs.flatMap(({ recovery, reports: all }): Part<Report>[] => (recovery === null ? [] : all.map((report) => ({ ...report, recovery }))))
    .filter((report) => ((either || reporter) && report.recovery.creator === state.ispb) || ((either || counterparty) && report.counterparty === state.ispb));
  const { page, more } = pageAfter(matching(query, reports), null, query.integer('Limit', 20, 200), place);
  return {
    root: 'ListInfractionReportsResponse',
    content: { HasMoreElements: String(more), InfractionReports: page.map((report): Document => reportDocument(report.recovery, report, details)) },
  };
}

/** GET /refunds/: by time of the last change, with a cursor. */
export async function listRefunds({ query, state, generation }: Asked): Promise<Answer> {
  query.participant(state.ispb);
  const requesting = query.oneOf('ParticipantRole', ['REQUESTING', 'CONTESTED']) === 'REQUESTING';
  const refunds = state.runs.flatMap(({ recovery, refunds: all }): Part<Refund>[] => (recovery === null ? [] : all.map((refund) => ({ ...refund, recovery }))))
    .filter(({ recovery, report }) => (requesting ? recovery.creator : report.counterparty) === state.ispb);
  const cursor = query.text('Cursor');
  const position = cursor === null ? null : decodeCursor(cursor, generation);
  const { page, more } = pageAfter(matching(query, refunds), position, query.integer('Limit', 200, 200), place);
  const last = page.at(-1);
  return {
    root: 'ListRefundsResponse',
    content: {
      HasMoreElements: String(more),
      NextCursor: more && last !== undefined ? encodeCursor(generation, place(last)) : undefined,
      Refunds: page.map((refund): Document => refundDocument(refund.recovery, refund)),
    },
  };
}

/** Both bounds are inclusive. */
function matching<T extends { readonly id: string; readonly status: string; readonly modifiedAt: number }>(query: Query, entries: readonly T[]): T[] {
  const after = query.time('ModifiedAfter') ?? -Infinity;
  const before = query.time('ModifiedBefore') ?? Infinity;
  const statuses = query.all('Status');
  return entries
    .filter(({ status, modifiedAt }) => modifiedAt >= after && modifiedAt <= before && (statuses.length === 0 || statuses.includes(status)))
    .sort((a, b) => compare(place(a), place(b)));
}

function place({ modifiedAt, id }: { readonly modifiedAt: number; readonly id: string }): Position {
  return { at: modifiedAt, id };
}
