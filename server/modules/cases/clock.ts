import {
  addMilliseconds,
  type BusinessTime,
  DAY_MILLISECONDS,
  HOUR_MILLISECONDS,
  readBusinessTime,
} from '../../base/time.ts';
import { saoPauloDay } from '../../rules/brazilian-calendar.ts';
import type { CaseRecord } from './store.ts';

type Clock = Pick<CaseRecord, 'clockStartedAt' | 'slaHours' | 'waitedMs'>;

/** Time limit of the analysis of a selected operation (Circular BCB 3.978/2020, art. 43). */
const ANALYSIS_DAYS = 45;

/** Longest time for which a case is snoozed. */
const LONGEST_SNOOZE = 90 * DAY_MILLISECONDS;

/** Returns when a case is due by the hours of its queue, without the time that the applicant took to answer. */
export function dueOf({ clockStartedAt, slaHours, waitedMs }: Clock): CaseRecord['dueAt'] {
  return addMilliseconds(readBusinessTime(clockStartedAt), slaHours * HOUR_MILLISECONDS + waitedMs).toISOString();
}

/** Returns the end of the 45th calendar day of São Paulo after the day of the selection. */
export function analysisDue(selectedAt: BusinessTime): BusinessTime {
  return addMilliseconds(saoPauloDay(selectedAt, ANALYSIS_DAYS + 1), -1);
}

/** Returns the last instant until which a case may be snoozed: its first statutory deadline, or 90 days. */
export function latestSnooze(
  { analysisDueAt, freezeDueAt }: Pick<CaseRecord, 'analysisDueAt' | 'freezeDueAt'>,
  at: BusinessTime,
): number {
  const statutory = [analysisDueAt, freezeDueAt].flatMap((due) => (due === null ? [] : [Date.parse(due)]));
  return Math.min(at.getTime() + LONGEST_SNOOZE, ...statutory);
}

/** Members of a case that wakes. */
export function woken({ assigneeId }: Pick<CaseRecord, 'assigneeId'>): Pick<CaseRecord, 'status' | 'snoozedUntil'> {
  return { status: assigneeId === null ? 'open' : 'in_progress', snoozedUntil: null };
}
