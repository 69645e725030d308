/** Tests of the deadlines that are derived from what the directory shows of a recovery. */
import { describe, expect, it } from 'vitest';
import { run } from '../../../test/support/derived-records.ts';
import { at, ispb, notification, recovery, refund, report, seen } from '../../../test/support/recovery-observations.ts';
import { standardStageLimits } from './recovery.ts';

describe('derive()', () => {
  it('counts the 72 hours from the time that the directory gives for the end of the analysis', () => {
    const [first] = run(
      seen(100, recovery('ANALYSED', 60), { reports: [report(1, 63)], notifications: [notification('ANALYSED', 60)] }),
    );
    expect(first?.record.nextDeadline).toEqual({ stage: 'REFUND_START', at: at(60 + 72 * 60) });
  });

  it('names the source of a limit: the directory for analysis and start of the refund, this service for tracking and refund', () => {
    const slow = seen(60 * 24 * 9, recovery('REFUNDING', 61), {
      reports: [report(10, 60 * 24 * 8)],
      refunds: [{ ...refund(60, 60), Status: 'OPEN' }],
      notifications: [notification('ANALYSED', 60)],
    });
    const [first] = run(seen(40, recovery('CREATED', 0)), slow);
    const limits = [...(first?.events ?? []), ...(run(slow)[0]?.events ?? [])]
      .filter(({ eventType }) => eventType.endsWith('_TIMED_OUT'))
      .map(
        ({ rawPayload }) =>
          (rawPayload as { readonly Deadline: { readonly Stage: string; readonly SetBy: string } }).Deadline,
      )
      .map(({ Stage, SetBy }) => [Stage, SetBy]);
    expect(limits).toEqual(
      expect.arrayContaining([
        ['TRACKING', 'SERVICE'],
        ['ANALYSIS', 'DIRECTORY'],
        ['REFUND', 'SERVICE'],
      ]),
    );
  });

  describe('a deadline of a report that was read from the lists alone', () => {
    const week = 7 * 24 * 60;
    const report = (status: string, modified: number, counterparty = '99999999', reporter = ispb) => ({
      Id: 'r1',
      Status: status,
      ReporterParticipant: reporter,
      CounterpartyParticipant: counterparty,
      CreationTime: at(0),
      LastModified: at(modified),
    });
    const waiting = recovery('AWAITING_ANALYSIS', 0);
    const first = (...from: Parameters<typeof report>) => seen(1, waiting, { reports: [report(...from)] });
    const lists = (minutes: number, needsRead = false) => seen(minutes, waiting, { stored: { needsRead } });

    it('is published without a read of the recovery', () => {
      const [, second] = run(first('OPEN', 0), lists(week));
      expect(second?.told).toEqual([['ANALYSIS_TIMED_OUT', 'AWAITING_ANALYSIS', at(week)]]);
      expect(second?.record.lastReadAt).toBe(at(1));
    });

    it('waits for a read if the recovery has changed, or if the report belongs to other participants and is not in the lists', () => {
      for (const [, second, third] of [
        run(first('OPEN', 0), lists(week, true), lists(week + 1)),
        run(first('OPEN', 0, '99999999', '88888888'), lists(week), lists(week + 1)),
      ]) {
        expect([second?.told, third?.told]).toEqual([[], []]);
        expect(Date.parse(third?.record.wakeAt ?? '')).toBeLessThan(Date.parse(at(week)));
        expect(third?.record.nextDeadline).toEqual({ stage: 'ANALYSIS', at: at(week) });
      }
    });

    it('is corrected by the answer if the directory showed the answer too late', () => {
      const [, , third] = run(
        first('OPEN', 0),
        lists(week),
        seen(week + 2, waiting, { reports: [report('CLOSED', week - 1)] }),
      );
      expect(third?.told).toEqual([
        ['REPORT_ACKNOWLEDGED', 'AWAITING_ANALYSIS', at(week - 1)],
        ['COUNTERPARTY_ANALYSED', 'AWAITING_ANALYSIS', at(week - 1)],
      ]);
      expect(third?.events[1]?.rawPayload).toMatchObject({
        Deadline: { Stage: 'ANALYSIS', EntityId: 'r1', DueAt: at(week) },
      });
    });

    it('is not published as missed if the answer changed again after the deadline', () => {
      const [, second, third] = run(
        first('OPEN', 0),
        seen(week - 1, waiting, { reports: [report('CLOSED', week - 2)] }),
        seen(week + 9, waiting, { reports: [report('CLOSED', week + 8)] }),
      );
      expect(second?.told.at(-1)).toEqual(['COUNTERPARTY_ANALYSED', 'AWAITING_ANALYSIS', at(week - 2)]);
      expect(third?.told.filter(([type]) => type?.endsWith('TIMED_OUT'))).toEqual([]);
    });

    it('schedules another read of a recovery if a list is newer than the read', () => {
      const [, second] = run(first('ACKNOWLEDGED', 5), seen(4, waiting));
      expect(second?.record.wakeAt).toBe(new Date(Date.parse(at(4)) - 1).toISOString());
    });
  });

  it('fires a deadline at its exact time on any day, including Carnival Tuesday and Sundays', () => {
    for (const due of ['2026-02-17T09:00:00.000Z', '2026-03-01T23:59:59.999Z']) {
      const opened = new Date(Date.parse(due) - standardStageLimits.analysis).toISOString();
      const report = {
        Id: 'r1',
        Status: 'OPEN',
        ReporterParticipant: ispb,
        CounterpartyParticipant: '99999999',
        CreationTime: opened,
        LastModified: opened,
      };
      const document = recovery('AWAITING_ANALYSIS', 0, { CreationTime: opened, LastModified: opened });
      const [before, after] = run(
        seen(0, document, { reports: [report], at: new Date(Date.parse(due) - 1) }),
        seen(0, document, { reports: [report], at: new Date(due) }),
      );
      expect(before?.record.nextDeadline).toEqual({ stage: 'ANALYSIS', at: due });
      expect(after?.told).toEqual([['ANALYSIS_TIMED_OUT', 'AWAITING_ANALYSIS', due]]);
    }
  });
});
