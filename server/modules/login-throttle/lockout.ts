import { DAY_MILLISECONDS, MINUTE_MILLISECONDS } from '../../base/time.ts';

const WINDOW = 15 * MINUTE_MILLISECONDS;
const FIRST_LOCK = 15 * MINUTE_MILLISECONDS;
const LONGEST_LOCK = DAY_MILLISECONDS;

/** Failed sign-ins within 15 minutes that lock an e-mail address. */
export const ACCOUNT_LIMIT = 5;

/** What is remembered about failed sign-ins: of an e-mail address, whether or not anybody has it, or of a client's address. */
export interface Failures {
  readonly count: number;
  readonly windowStart: Date;
  /** How often in a row it was locked: each lock lasts twice as long as the one before. */
  readonly locks: number;
  readonly lockedUntil: Date | null;
}

/** Seconds until the next attempt is allowed, or null when it is allowed now. */
export function lockedFor(failures: Failures | null, now: Date): number | null {
  const rest = (failures?.lockedUntil?.getTime() ?? 0) - now.getTime();
  return rest > 0 ? Math.ceil(rest / 1000) : null;
}

/** The state after one more failure: reaching the limit within 15 minutes locks. */
export function afterFailure(before: Failures | null, now: Date, limit: number, longestLock = LONGEST_LOCK): Failures {
  const inWindow = before !== null && now.getTime() - before.windowStart.getTime() < WINDOW;
  const count = (inWindow ? before.count : 0) + 1;
  const windowStart = inWindow ? before.windowStart : now;
  const locks = isForgotten(before, now) ? 0 : before?.locks ?? 0;
  if (count < limit) return { count, windowStart, locks, lockedUntil: null };
  const duration = Math.min(FIRST_LOCK * 2 ** locks, longestLock);
  return { count: 0, windowStart: now, locks: locks + 1, lockedUntil: new Date(now.getTime() + duration) };
}

/** What ended before counts for nothing any more and need not be kept. */
export function forgottenBefore(now: Date): Date {
  return new Date(now.getTime() - LONGEST_LOCK);
}

/** After a day without a failure the next lock is short again. */
function isForgotten(failures: Failures | null, now: Date): boolean {
  if (failures === null) return true;
  const last = Math.max(failures.windowStart.getTime(), failures.lockedUntil?.getTime() ?? 0);
  return last < forgottenBefore(now).getTime();
}
