/** The deadlines that a report has, and whether one was missed. */
import { type BusinessTime, type BusinessTimestamp, readBusinessTime } from '../../base/time.ts';
import type { ReportRecord } from './store.ts';

type Dates = Pick<
  ReportRecord,
  'status' | 'selectedAt' | 'selectionDueAt' | 'analysisDueAt' | 'decidedAt' | 'reportDueAt' | 'filedAt'
>;

/** Returns the next deadline, and whether one of the steps that were taken was taken too late. */
export function scheduleOf(dates: Dates): Pick<ReportRecord, 'dueAt' | 'wasLate'> {
  const { status, selectedAt, selectionDueAt, analysisDueAt, decidedAt, reportDueAt, filedAt } = dates;
  const isAfter = (step: BusinessTimestamp | null, due: BusinessTimestamp | null): boolean =>
    step !== null && due !== null && readBusinessTime(step) > readBusinessTime(due);
  const open = {
    draft: analysisDueAt,
    decided_report: reportDueAt,
    decided_no_report: null,
    filed: null,
  };
  return {
    dueAt: open[status],
    wasLate: isAfter(selectedAt, selectionDueAt) || isAfter(decidedAt, analysisDueAt) || isAfter(filedAt, reportDueAt),
  };
}

/** Tells whether a deadline of the report was missed: by a step that was taken, or by one that is still missing. */
export function isLate({ wasLate, dueAt }: Pick<ReportRecord, 'wasLate' | 'dueAt'>, at: BusinessTime): boolean {
  return wasLate || (dueAt !== null && at > readBusinessTime(dueAt));
}
