/** Tests of the events and alerts that are derived from reads and notifications of a recovery. */
import { describe, expect, it } from 'vitest';
import { run } from '../../../test/support/derived-records.ts';
import { at, notification, recovery, refund, report, seen } from '../../../test/support/recovery-observations.ts';
import type { Observation } from './observation.ts';
import { rankOf, type Status } from './recovery.ts';

describe('derive()', () => {
  it('waits ten minutes for the notification of an end that a read has shown, and then publishes the end as derived', () => {
    const [first, second, third] = run(
      seen(61, recovery('ANALYSED', 60)),
      seen(70.9, recovery('ANALYSED', 60)),
      seen(71, recovery('ANALYSED', 60)),
    );
    expect(first?.told.map(([type]) => type)).toEqual(['CREATED']);
    expect(first?.record.wakeAt).toBe(at(71));
    expect(second?.told).toEqual([]);
    expect(third?.told).toEqual([['ANALYSED', 'ANALYSED', at(60)]]);
    expect(third?.events[0]?.rawPayload).toMatchObject({
      '@meta': { origin: 'DERIVED' },
      Deadline: { Stage: 'REFUND_START', DueAt: at(60 + 72 * 60) },
    });
  });

  it('publishes an end once, with the content of the notification, if the notification arrives in time', () => {
    const announced = notification('ANALYSED', 59);
    const [, second, third] = run(
      seen(61, recovery('ANALYSED', 60)),
      seen(66, recovery('ANALYSED', 60), { notifications: [announced] }),
      seen(90, recovery('ANALYSED', 60)),
    );
    expect(second?.told).toEqual([['ANALYSED', 'ANALYSED', at(59)]]);
    expect(second?.events[0]?.rawPayload).toMatchObject({
      EventNotification: announced,
      '@meta': { origin: 'NATIVE' },
    });
    expect(third?.told).toEqual([]);
  });

  it('publishes a late intermediate status with the status that the record has reached by then', () => {
    const completed = seen(30, recovery('COMPLETED', 20), { notifications: [notification('COMPLETED', 20)] });
    const [first, second] = run(
      completed,
      seen(31, recovery('COMPLETED', 20), { notifications: [notification('ANALYSED', 10)] }),
    );
    expect(first?.told.at(-1)).toEqual(['COMPLETED', 'COMPLETED', at(20)]);
    expect(second?.told).toEqual([['ANALYSED', 'COMPLETED', at(10)]]);
  });

  it('never lowers a status, even if a read shows an older one', () => {
    const [, second] = run(seen(25, recovery('AWAITING_ANALYSIS', 20)), seen(26, recovery('TRACKED', 10)));
    expect([second?.record.status, second?.told]).toEqual(['AWAITING_ANALYSIS', []]);
  });

  it('follows the directory and raises an alert if two ends contradict each other', () => {
    const [, second, third] = run(
      seen(5, recovery('CANCELLED', 4), { notifications: [notification('CANCELLED', 4)] }),
      seen(20, recovery('COMPLETED', 6)),
      seen(31, recovery('COMPLETED', 6)),
    );
    expect(second?.alerts).toEqual(['conflicting_end']);
    expect(third?.told).toEqual([['COMPLETED', 'COMPLETED', at(6)]]);
    expect([third?.record.status, third?.alerts]).toEqual(['COMPLETED', []]);
  });

  it.each([
    ['WAITING_ANALYSIS', 'AWAITING_ANALYSIS'],
    ['BLOCKING', 'TRACKED'],
  ])('reads %s as %s', (alias, status) => {
    const [first] = run(seen(5, recovery(alias, 4)));
    expect(first?.record.status).toBe(status);
  });

  it('keeps the last known status if the new one is unknown, publishes the raw value once and raises an alert', () => {
    const [, second, third] = run(
      seen(5, recovery('TRACKED', 4)),
      seen(7, recovery('FROZEN', 6)),
      seen(8, recovery('FROZEN', 6)),
    );
    expect(second?.told).toEqual([['INFORMATION_UPDATED', 'TRACKED', at(6)]]);
    expect(second?.events[0]?.rawPayload).toMatchObject({ FundsRecovery: { Status: 'FROZEN' } });
    expect([second?.alerts, third?.alerts, third?.told]).toEqual([['unknown_status'], [], []]);
  });

  it('passes through an event with an unknown name', () => {
    const [, second] = run(
      seen(5, recovery('TRACKED', 4)),
      seen(7, recovery('TRACKED', 4), { notifications: [notification('FROZEN', 6)] }),
    );
    expect(second?.told).toEqual([['FROZEN', 'TRACKED', at(6)]]);
  });

  it('publishes one change of information for a record that changed while notifications were lost', () => {
    const [, second, third] = run(
      seen(5, recovery('TRACKED', 4, { ReportDetails: 'one' })),
      seen(9, recovery('TRACKED', 8, { ReportDetails: 'two' }), { gapSince: at(5) }),
      seen(10, recovery('TRACKED', 8, { ReportDetails: 'two' }), { gapSince: at(5) }),
    );
    expect(second?.told).toEqual([['INFORMATION_UPDATED', 'TRACKED', at(8)]]);
    expect(third?.told).toEqual([]);
  });

  it('numbers the events of a record and keeps every leaf as received', () => {
    const document = { ...recovery('TRACKED', 4), Odd: { Amount: '0812.40', Big: '90071992547409931' } };
    const [first] = run(seen(5, document));
    expect(
      first?.events.map(({ rawPayload }) => (rawPayload as { '@meta': { record: object } })['@meta'].record),
    ).toEqual([
      { role: 'SENT', revision: 1 },
      { role: 'SENT', revision: 2 },
    ]);
    expect(first?.events[0]?.rawPayload).toMatchObject({
      FundsRecovery: { Odd: { Amount: '0812.40', Big: '90071992547409931' } },
    });
  });

  it('adds nothing if an observation is repeated, at every status', () => {
    for (const status of [
      'CREATED',
      'TRACKED',
      'AWAITING_ANALYSIS',
      'ANALYSED',
      'REFUNDING',
      'COMPLETED',
      'CANCELLED',
    ] satisfies Status[]) {
      const [first, second] = run(seen(200, recovery(status, 4)), seen(200, recovery(status, 4)));
      expect(second?.events).toEqual([]);
      expect(rankOf(second?.record.status ?? 'CREATED')).toBe(rankOf(first?.record.status ?? 'CREATED'));
    }
  });

  it.each([
    [
      'ANALYSED',
      'the last answer',
      {
        reports: [report(1, 50), report(2, 63, { Id: 'r2', TransactionId: 'E2' })],
        notifications: [notification('ANALYSED', 60)],
      },
      [60, 63],
    ],
    [
      'ANALYSED',
      'the wait for it',
      {
        reports: [report(1, 2), report(30, 31, { Id: 'r2', TransactionId: 'E2' })],
        notifications: [notification('ANALYSED', 29)],
      },
      [60, 31],
    ],
    [
      'REFUNDING',
      'the analysis',
      { reports: [report(1, 50)], refunds: [refund(58, 60)], notifications: [notification('ANALYSED', 59)] },
      [60, 59],
    ],
    [
      'COMPLETED',
      'the last refund',
      { reports: [report(1, 50)], refunds: [refund(58, 72)], notifications: [notification('COMPLETED', 70)] },
      [70, 72],
    ],
    [
      'CANCELLED',
      'the cancellation of the reports',
      { reports: [report(1, 66, { Status: 'CANCELLED' })], notifications: [notification('CANCELLED', 65)] },
      [65, 66],
    ],
    [
      'AWAITING_ANALYSIS',
      'the reports that follow the root’s',
      { reports: [report(0, 0, { Status: 'OPEN' }), report(9, 9, { Id: 'r2', TransactionId: 'E2', Status: 'OPEN' })] },
      [10, 9],
    ],
  ] as const)('tells %s at a time that is not before %s', (status, _, more, [modified, expected]) => {
    const [seenOnce] = run(seen(100, recovery(status, modified), more as Partial<Observation>));
    const told = seenOnce?.told ?? [];
    expect(told.find(([type]) => type === status)?.[2]).toBe(at(expected));
    // The facts behind a status are published before the status itself.
    const times = told.map(([, , time]) => time!);
    expect(times).toEqual(times.toSorted());
  });
});
