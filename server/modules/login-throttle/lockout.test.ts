/** Tests of the rules by which failures lock the sign-in. */
import { describe, expect, it } from 'vitest';
import { ACCOUNT_LIMIT, afterFailure, type Failures, lockedFor } from './lockout.ts';

const start = new Date('2026-11-03T12:00:00.000Z');
const later = (minutes: number): Date => new Date(start.getTime() + minutes * 60_000);

function fail(times: number, now: Date, before: Failures | null = null): Failures {
  let failures = before;
  for (let i = 0; i < times; i++) failures = afterFailure(failures, now, ACCOUNT_LIMIT);
  return failures as Failures;
}

describe('the lockout', () => {
  it('does not lock after four failures', () => {
    expect(lockedFor(fail(4, start), start)).toBeNull();
  });

  it('locks for 15 minutes after the fifth failure', () => {
    const failures = fail(5, start);
    expect(lockedFor(failures, start)).toBe(900);
    expect(lockedFor(failures, later(15))).toBeNull();
  });

  it('counts only failures in the last 15 minutes', () => {
    expect(lockedFor(fail(4, later(15), fail(4, start)), later(15))).toBeNull();
  });

  it('doubles with each lock, up to a day', () => {
    let failures: Failures | null = null;
    let now = start;
    const locks: number[] = [];
    for (let i = 0; i < 9; i++) {
      failures = fail(5, now, failures);
      const seconds = lockedFor(failures, now) as number;
      locks.push(seconds / 60);
      now = new Date(now.getTime() + seconds * 1000);
    }
    expect(locks).toEqual([15, 30, 60, 120, 240, 480, 960, 1440, 1440]);
  });

  it('is short again after a day without failures', () => {
    const failures = fail(5, start);
    const nextDay = later(15 + 24 * 60 + 1);
    expect(lockedFor(fail(5, nextDay, failures), nextDay)).toBe(900);
  });
});
