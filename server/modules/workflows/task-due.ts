/** Computes by when a task of a person is due, in hours or in business days, as its process says. */
import { addMilliseconds, type BusinessTime, HOUR_MILLISECONDS } from '../../base/time.ts';
import { calendarDate, isBusinessDay, saoPauloDay } from '../../rules/brazilian-calendar.ts';
import type { UserTask } from '../../workflow/program.ts';

/** Returns when a task is due, or null if its process does not say. If it names both, the earlier one counts. */
export function taskDue(
  { dueHours, dueBusinessDays }: Pick<UserTask, 'dueHours' | 'dueBusinessDays'>,
  at: BusinessTime,
): BusinessTime | null {
  const byHours = dueHours === undefined ? null : addMilliseconds(at, dueHours * HOUR_MILLISECONDS);
  const byDays = dueBusinessDays === undefined ? null : businessDaysLater(at, dueBusinessDays);
  if (byHours === null || byDays === null) return byHours ?? byDays;
  return byHours < byDays ? byHours : byDays;
}

/** Returns the end of a business day in São Paulo, counted from the day after the instant. */
function businessDaysLater(at: BusinessTime, days: number): BusinessTime {
  let left = days;
  for (let ahead = 1; ; ahead++) {
    const day = saoPauloDay(at, ahead);
    if (isBusinessDay(calendarDate(day))) left -= 1;
    if (left === 0) return saoPauloDay(at, ahead + 1);
  }
}
