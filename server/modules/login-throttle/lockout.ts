/**
 * Arithmetic of locks after failures, without input or output: when a counter locks, for how long, and when it is
 * forgotten. Used by the throttles and the store of this module. Each further lock is twice as long, up to a day.
 */
import { DAY_MILLISECONDS, MINUTE_MILLISECONDS, type RealTime } from '../../base/time.ts';

const WINDOW = 15 * MINUTE_MILLISECONDS;
const FIRST_LOCK = 15 * MINUTE_MILLISECONDS;
const LONGEST_LOCK = DAY_MILLISECONDS;

/** Number of failed sign-ins within 15 minutes that lock an e-mail address. */
export const ACCOUNT_LIMIT = 5;

/** Counter of failed sign-ins of a client's address, or of an e-mail address, whether or not it has an account. */
export interface Failures {
  readonly count: number;
  readonly windowStart: Date;
  /** Number of successive locks. Each lock lasts twice as long as the previous one. */
  readonly locks: number;
  readonly lockedUntil: Date | null;
}

/** Returns the seconds until the next attempt is allowed, or null if it is allowed now. */
export function lockedFor(failures: Failures | null, now: RealTime): number | null {
  const rest = (failures?.lockedUntil?.getTime() ?? 0) - now.getTime();
  return rest > 0 ? Math.ceil(rest / 1000) : null;
}

/** Returns the counter after one more failure. Reaching the limit within 15 minutes locks. */
export function afterFailure(
  before: Failures | null,
  now: RealTime,
  limit: number,
  longestLock = LONGEST_LOCK,
): Failures {
  const inWindow = before !== null && now.getTime() - before.windowStart.getTime() < WINDOW;
  const count = (inWindow ? before.count : 0) + 1;
  const windowStart = inWindow ? before.windowStart : now;
  const locks = isForgotten(before, now) ? 0 : (before?.locks ?? 0);
  if (count < limit)
    return {
      count,
      windowStart,
      locks,
      lockedUntil: null,
    };
  const duration = Math.min(FIRST_LOCK * 2 ** locks, longestLock);
  return {
    count: 0,
    windowStart: now,
    locks: locks + 1,
    lockedUntil: new Date(now.getTime() + duration),
  };
}

/** Returns the instant before which ended counters have no effect any more and can be deleted. */
export function forgottenBefore(now: RealTime): Date {
  return new Date(now.getTime() - LONGEST_LOCK);
}

/** Returns whether a day has passed without a failure, so that the next lock is short again. */
function isForgotten(failures: Failures | null, now: RealTime): boolean {
  if (failures === null) return true;
  const last = Math.max(failures.windowStart.getTime(), failures.lockedUntil?.getTime() ?? 0);
  return last < forgottenBefore(now).getTime();
}
