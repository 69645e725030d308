/** Tests of the times at which a consumer is advised to read the feed again. */
import { describe, expect, it } from 'vitest';
import { nextNineOClock, calendarDate, saoPauloDay, saoPauloDaysSince } from '../../rules/brazilian-calendar.ts';
import { cadence, type PollBasis, pollWindows, spreadOf } from './poll-schedule.ts';
import { businessTimeAt } from '../../../test/support/business-time.ts';

const now = new Date('2026-11-21T15:30:00.000Z'); // 12:30 in São Paulo, UTC−3
const businessTime = businessTimeAt(now);
const nothing: PollBasis = {
  businessTime,
  receivesReports: false,
  urgency: null,
  nextDeadlineAt: null,
};
const inSeconds = (seconds: number): string => new Date(now.getTime() + seconds * 1000).toISOString();

describe('calendar days in São Paulo', () => {
  it('begin at three in the morning UTC', () => {
    expect(saoPauloDay(now, 0).toISOString()).toBe('2026-11-21T03:00:00.000Z');
    expect(saoPauloDay(now, -3).toISOString()).toBe('2026-11-18T03:00:00.000Z');
  });

  it('begin at the full second, whatever the millisecond of the instant', () => {
    expect(saoPauloDay(new Date('2026-11-21T15:30:00.987Z'), -2).toISOString()).toBe('2026-11-19T03:00:00.000Z');
  });

  it('are the day before while UTC is already on the next day', () => {
    expect(saoPauloDay(new Date('2026-11-21T01:00:00.000Z'), 0).toISOString()).toBe('2026-11-20T03:00:00.000Z');
  });

  it('follow the summer time of earlier years', () => {
    expect(saoPauloDay(new Date('2018-12-25T12:00:00.000Z'), 0).toISOString()).toBe('2018-12-25T02:00:00.000Z');
    expect(saoPauloDay(new Date('2018-11-05T12:00:00.000Z'), -3).toISOString()).toBe('2018-11-02T03:00:00.000Z');
  });

  it('count from the date of an instant, not from its hour', () => {
    expect(calendarDate(businessTimeAt('2026-11-21T02:59:59.000Z'))).toBe('2026-11-20');
    expect(saoPauloDaysSince(businessTimeAt('2026-11-18T23:00:00.000Z'), businessTime)).toBe(3);
    expect(saoPauloDaysSince(businessTimeAt('2026-11-18T02:00:00.000Z'), businessTime)).toBe(4);
    expect(saoPauloDaysSince(businessTime, businessTime)).toBe(0);
  });

  it('give nine in the morning of today or tomorrow', () => {
    expect(nextNineOClock(now).toISOString()).toBe('2026-11-22T12:00:00.000Z');
    expect(nextNineOClock(new Date('2026-11-21T10:00:00.000Z')).toISOString()).toBe('2026-11-21T12:00:00.000Z');
  });
});

describe('the polling cadence', () => {
  it('counts day 3 by the calendar and the refund limit by 72 hours', () => {
    const windows = pollWindows(businessTime);
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
  ] as const)('is %s', (_what, urgency, seconds) => {
    expect(cadence(now, { ...nothing, urgency }, 0)).toEqual({ seconds, rule: 'day_3_schedule' });
  });

  it('lasts until nine in the morning if nothing is open', () => {
    expect(cadence(now, nothing, 0)).toEqual({ seconds: 73_800, rule: 'nothing_open' });
  });

  it('is a minute for a receiver of reports, whatever else is open', () => {
    for (const urgency of [null, 'open', 'refund_closing'] as const) {
      for (const nextDeadlineAt of [null, inSeconds(5), inSeconds(90_000)]) {
        const basis = {
          ...nothing,
          receivesReports: true,
          urgency,
          nextDeadlineAt,
        };
        expect(cadence(now, basis, 1)).toEqual({ seconds: 60, rule: 'receives_reports' });
      }
    }
  });

  it('ends at the next deadline if that comes first, by the clock of the environment', () => {
    expect(cadence(now, { ...nothing, urgency: 'open', nextDeadlineAt: inSeconds(1_200) }, 0)).toEqual({
      seconds: 1_200,
      rule: 'next_deadline',
    });
    expect(cadence(now, { ...nothing, urgency: 'open', nextDeadlineAt: inSeconds(23_001) }, 0)).toEqual({
      seconds: 21_600,
      rule: 'day_3_schedule',
    });
    const ahead = {
      ...nothing,
      urgency: 'open' as const,
      businessTime: businessTimeAt(now.getTime() + 86_400_000),
      nextDeadlineAt: inSeconds(86_400 + 600),
    };
    expect(cadence(now, ahead, 0).seconds).toBe(600);
  });

  it('ends at most a tenth and five minutes earlier, never later, never below a minute nor above a day', () => {
    expect(cadence(now, { ...nothing, urgency: 'refund_closing' }, 1).seconds).toBe(810);
    expect(cadence(now, { ...nothing, urgency: 'hourly' }, 1).seconds).toBe(3300);
    expect(cadence(now, nothing, 1).seconds).toBe(73_500);
    expect(cadence(new Date('2026-11-21T11:59:50.000Z'), nothing, 0).seconds).toBe(60);
    expect(cadence(new Date('2026-11-21T12:00:00.000Z'), nothing, 0).seconds).toBe(86_400);
    expect(cadence(now, { ...nothing, urgency: 'open', nextDeadlineAt: inSeconds(3) }, 1).seconds).toBe(60);
  });

  it('is spread by the consumer, and the same each time for one consumer', () => {
    expect(spreadOf('client:kyc_live_abc')).toBe(spreadOf('client:kyc_live_abc'));
    const spreads = Array.from({ length: 1_000 }, (_, n) => spreadOf(`client:kyc_live_${n}`));
    expect(Math.min(...spreads)).toBeLessThan(0.05);
    expect(Math.max(...spreads)).toBeGreaterThan(0.95);
    expect(spreads.every((spread) => spread >= 0 && spread < 1)).toBe(true);
  });
});
