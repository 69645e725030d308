/** Tests of the events that announce an approaching deadline of a recovery. */
import { describe, expect, it } from 'vitest';
import {
  at,
  notification,
  recovery,
  refund,
  report,
  seen,
  short,
} from '../../../test/support/recovery-observations.ts';
import { derive } from './derive.ts';
import type { Observation } from './observation.ts';
import { type RecoveryRecord, standardStageLimits } from './recovery.ts';

describe('an approaching deadline', () => {
  const hours = (count: number) => count * 60;
  const week = hours(7 * 24);
  const waiting = (minutes: number, status = 'OPEN', more: Partial<Observation> = {}) =>
    seen(minutes, recovery('AWAITING_ANALYSIS', 0), {
      reports: [{ ...report(0, status === 'OPEN' ? 0 : minutes), Status: status }],
      ...more,
    });
  const stored = (minutes: number, needsRead = false) =>
    seen(minutes, recovery('AWAITING_ANALYSIS', 0), { stored: { needsRead } });
  /** Announcements after a read at each of the times. */
  const announced = (noticeHours: readonly number[], ...observations: Observation[]) => {
    let record: RecoveryRecord | null = null;
    return observations.map((observation) => {
      const derived = derive(record, observation, standardStageLimits, noticeHours);
      record = derived.record;
      return { near: derived.events.filter(({ eventType }) => short(eventType) === 'DEADLINE_APPROACHING'), record };
    });
  };
  const times = (looks: ReturnType<typeof announced>) =>
    looks.map(({ near }) => near.map(({ occurredAt }) => occurredAt));

  it('is announced once at each configured time, with the deadline, and without a read of the directory', () => {
    const looks = announced(
      [48, 24],
      waiting(1),
      stored(week - hours(48)),
      stored(week - hours(47)),
      stored(week - hours(24)),
      stored(week),
    );
    expect(times(looks)).toEqual([[], [at(week - hours(48))], [], [at(week - hours(24))], []]);
    expect(looks.map(({ record }) => record.nextNoticeAt)).toEqual([
      at(week - hours(48)),
      at(week - hours(24)),
      at(week - hours(24)),
      null,
      null,
    ]);
    expect(looks[3]?.near[0]?.rawPayload).toMatchObject({
      Deadline: {
        Stage: 'ANALYSIS',
        SetBy: 'DIRECTORY',
        EntityId: 'r1',
        DueAt: at(week),
        NoticeHours: '24',
      },
      '@meta': { origin: 'DEADLINE' },
    });
  });

  it('is announced once if several configured times have passed, and never after the deadline', () => {
    expect(times(announced([48, 24], waiting(1), stored(week - 1)))).toEqual([[], [at(week - hours(24))]]);
    expect(times(announced([48, 24], waiting(1), waiting(week), waiting(week + 1)))).toEqual([[], [], []]);
  });

  it('is not announced after the answer, nor before a read that may show the answer', () => {
    expect(times(announced([24], waiting(1), waiting(week - hours(24), 'CLOSED')))).toEqual([[], []]);
    expect(times(announced([24], waiting(1), stored(week - hours(24), true), waiting(week - hours(23))))).toEqual([
      [],
      [],
      [at(week - hours(24))],
    ]);
  });

  it('is not announced if the notice is as long as the whole wait', () => {
    const refunding = seen(hours(2), recovery('REFUNDING', 61), {
      reports: [report(0, 60)],
      refunds: [{ ...refund(61, 61), Status: 'OPEN' }],
    });
    expect(announced([24], refunding)[0]).toMatchObject({ near: [], record: { nextNoticeAt: null } });
    expect(announced([23], refunding)[0]).toMatchObject({ near: [], record: { nextNoticeAt: at(61 + 60) } });
  });

  it('is not announced for a recovery that has ended', () => {
    expect(
      times(
        announced(
          [24],
          waiting(1),
          stored(week - hours(25)),
          waiting(week - hours(24), 'OPEN', { notifications: [notification('CANCELLED', week - hours(25))] }),
        ),
      ),
    ).toEqual([[], [], []]);
  });

  it('is never announced without a setting', () => {
    expect(times(announced([], waiting(1), stored(week - hours(24)), stored(week - 1)))).toEqual([[], [], []]);
  });
});
