/** Milliseconds since 1970 of a tenant's sandbox clock. */
export type Instant = number;

export const second = 1000;
export const minute = 60 * second;
export const hour = 60 * minute;
export const day = 24 * hour;

/**
 * How long each stage may last. Calendar time, around the clock: no holiday and no weekend moves a limit of the special
 * return mechanism (Manual Operacional do DICT §20.4).
 */
export const limits = { tracking: 30 * minute, analysis: 7 * day, refundStart: 72 * hour, refund: 24 * hour } as const;

/** A policy at expiry acts this long after the limit, so that the expiry itself can be seen. */
export const grace = minute;

/** How far back the directory lists notifications (DICT API, listEventNotifications). */
export const notificationWindow = 7 * day;

/** UTC with milliseconds, as the directory writes times. */
export function iso(at: Instant): string {
  return new Date(at).toISOString();
}
