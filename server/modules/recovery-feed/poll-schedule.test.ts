import { describe, expect, it } from 'vitest';
import { nextNineOClock, calendarDate, saoPauloDay, saoPauloDaysSince } from '../../rules/brazilian-calendar.ts';
import { pollInterval, pollWindows } from './poll-schedule.ts';

const now = new Date('2026-11-21T15:30:00.000Z'); // 12:30 in São Paulo, UTC−3
const middle = 0.5;

describe('calendar days in São Paulo', () => {
  it('begin at three in the morning UTC', () => {
    expect(saoPauloDay(now, 0).toISOString()).toBe('2026-11-21T03:00:00.000Z');
    expect(saoPauloDay(now, -3).toISOString()).toBe('2026-11-18T03:00:00.000Z');
  });

  it('begin at the full second, whatever the millisecond', () => {
    expect(saoPauloDay(new Date('2026-11-21T15:30:00.987Z'), -2).toISOString()).toBe('2026-11-19T03:00:00.000Z');
  });

  it('are the day before while UTC is already on the next', () => {
    expect(saoPauloDay(new Date('2026-11-21T01:00:00.000Z'), 0).toISOString()).toBe('2026-11-20T03:00:00.000Z');
  });

  it('respect the summer time of earlier years', () => {
    expect(saoPauloDay(new Date('2018-12-25T12:00:00.000Z'), 0).toISOString()).toBe('2018-12-25T02:00:00.000Z');
    expect(saoPauloDay(new Date('2018-11-05T12:00:00.000Z'), -3).toISOString()).toBe('2018-11-02T03:00:00.000Z');
  });

  it('count from the date of an instant, not from its hour', () => {
    expect(calendarDate(new Date('2026-11-21T02:59:59.000Z'))).toBe('2026-11-20');
    expect(saoPauloDaysSince(new Date('2026-11-18T23:00:00.000Z'), now)).toBe(3);
    expect(saoPauloDaysSince(new Date('2026-11-18T02:00:00.000Z'), now)).toBe(4);
    expect(saoPauloDaysSince(now, now)).toBe(0);
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
    ['five minutes for a recovery of the last hour', 'fresh', 300],
    ['a quarter of an hour while the refund limit nears', 'refund_closing', 900],
    ['an hour on day 3 of the analysis', 'hourly', 3600],
    ['six hours for any other open recovery', 'open', 21_600],
    ['until nine in the morning when nothing is open', null, 73_800],
  ] as const)('is %s', (_what, mostUrgent, seconds) => {
    expect(pollInterval(now, mostUrgent, false, middle)).toBe(seconds);
  });

  it('is at once while events are unread', () => {
    expect(pollInterval(now, null, true, middle)).toBe(0);
  });

  it('is spread by a tenth to both sides, never below a minute nor above a day', () => {
    expect(pollInterval(now, 'hourly', false, 0)).toBe(3240);
    expect(pollInterval(now, 'hourly', false, 1)).toBe(3960);
    expect(pollInterval(new Date('2026-11-21T11:59:50.000Z'), null, false, middle)).toBe(60);
    expect(pollInterval(new Date('2026-11-21T12:00:00.000Z'), null, false, 1)).toBe(86_400);
  });
});
