/** Computes by when a task of a person is due, in hours or in business days, as its process says. */
import { addMilliseconds, type BusinessTime, DAY_MILLISECONDS, HOUR_MILLISECONDS } from '../../base/time.ts';
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
  // Dates are counted without their zone, which takes half the time.
  const today = Date.parse(calendarDate(at));
  let ahead = 0;
  for (let left = days; left > 0; ) {
    ahead += 1;
    if (isBusinessDay(new Date(today + ahead * DAY_MILLISECONDS).toISOString().slice(0, 10))) left -= 1;
  }
  return saoPauloDay(at, ahead + 1);
}
