import { describe, expect, it } from 'vitest';
import { pollInterval, pollWindows } from './poll-schedule.ts';
import { localDay, nextNineOClock } from './sao-paulo.ts';

const now = new Date('2026-11-21T15:30:00.000Z'); // 12:30 in São Paulo, UTC−3
const quiet = { fresh: false, refundClosing: false, hourly: false, open: false };
const middle = 0.5;

describe('calendar days in São Paulo', () => {
  it('begin at three in the morning UTC', () => {
    expect(localDay(now, 0).toISOString()).toBe('2026-11-21T03:00:00.000Z');
    expect(localDay(now, -3).toISOString()).toBe('2026-11-18T03:00:00.000Z');
  });

  it('are the day before while UTC is already on the next', () => {
    expect(localDay(new Date('2026-11-21T01:00:00.000Z'), 0).toISOString()).toBe('2026-11-20T03:00:00.000Z');
  });

  it('respect the summer time of earlier years', () => {
    expect(localDay(new Date('2018-12-25T12:00:00.000Z'), 0).toISOString()).toBe('2018-12-25T02:00:00.000Z');
    expect(localDay(new Date('2018-11-05T12:00:00.000Z'), -3).toISOString()).toBe('2018-11-02T03:00:00.000Z');
  });

  it('reach nine in the morning today or tomorrow', () => {
    expect(nextNineOClock(now).toISOString()).toBe('2026-11-22T12:00:00.000Z');
    expect(nextNineOClock(new Date('2026-11-21T10:00:00.000Z')).toISOString()).toBe('2026-11-21T12:00:00.000Z');
  });
});

describe('the polling cadence', () => {
  it('counts day 3 by the calendar and the refund limit by 72 hours', () => {
    const windows = pollWindows(now);
    expect(windows.day3.from.toISOString()).toBe('2026-11-18T03:00:00.000Z');
    expect(windows.day3.to.toISOString()).toBe('2026-11-19T03:00:00.000Z');
    expect(windows.day7.from.toISOString()).toBe('2026-11-14T03:00:00.000Z');
    expect(windows.limit72h.toISOString()).toBe('2026-11-18T15:30:00.000Z');
  });

  it.each([
    ['five minutes for a recovery of the last hour', { ...quiet, fresh: true, hourly: true, open: true }, 300],
    ['a quarter of an hour while the refund limit nears', { ...quiet, refundClosing: true, hourly: true, open: true }, 900],
    ['an hour on day 3 of the analysis', { ...quiet, hourly: true, open: true }, 3600],
    ['six hours for any other open recovery', { ...quiet, open: true }, 21_600],
    ['until nine in the morning when nothing is open', quiet, 73_800],
  ])('is %s', (_what, phases, seconds) => {
    expect(pollInterval(now, phases, false, middle)).toBe(seconds);
  });

  it('is at once while events are unread', () => {
    expect(pollInterval(now, quiet, true, middle)).toBe(0);
  });

  it('is spread by a tenth to both sides, never below a minute nor above a day', () => {
    expect(pollInterval(now, { ...quiet, hourly: true }, false, 0)).toBe(3240);
    expect(pollInterval(now, { ...quiet, hourly: true }, false, 1)).toBe(3960);
    expect(pollInterval(new Date('2026-11-21T11:59:50.000Z'), quiet, false, middle)).toBe(60);
    expect(pollInterval(new Date('2026-11-21T12:00:00.000Z'), quiet, false, 1)).toBe(86_400);
  });
});
