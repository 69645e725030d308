/** Milliseconds. What the directory's process allows for each step, and how long we wait for its own notification. */
export interface Limits {
  readonly tracking: number;
  /** Of each report. Exact hours: calendar days that holidays do not move. */
  readonly analysis: number;
  readonly refundStart: number;
  /** Of each refund. */
  readonly refund: number;
  /** A read that shows an end of a phase before its notification came waits so long for it. */
  readonly nativeHold: number;
}

const minute = 60_000;
const hour = 60 * minute;

export const standardLimits: Limits = {
  tracking: 30 * minute, analysis: 7 * 24 * hour, refundStart: 72 * hour, refund: 24 * hour, nativeHold: 10 * minute,
};
