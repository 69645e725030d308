import { describe, expect, it } from 'vitest';
import { FoldedDirectory } from '../../../test/support/folded-directory.ts';
import {
  at,
  begin,
  ispb,
  notification,
  recovery,
  refund,
  report,
  seen,
  short,
  tenantId,
} from '../../../test/support/recovery-observations.ts';
import { fold } from '../../simulators/directory/core/fold.ts';
import { historyOf } from '../../simulators/directory/core/history.ts';
import type { JournalEntry } from '../../simulators/directory/core/model.ts';
import { scenarios } from '../../simulators/directory/scenarios/catalogue.ts';
import type { NewEvent } from '../recovery-feed/publish.ts';
import { observe } from '../recovery-ingestion/observe.ts';
import type { Participant } from '../recovery-ingestion/participants.ts';
import { derive } from './derive.ts';
import type { Observation } from './observation.ts';
import { rankOf, type RecoveryRecord, standardStageLimits, type Status } from './recovery.ts';

const endOfTime = Date.parse('2027-11-21T12:00:00.000Z');

/** Reads the directory at every instant of the journal, and once after the last. */
async function follow(
  journal: readonly JournalEntry[],
): Promise<{ events: NewEvent[]; record: RecoveryRecord | null }> {
  const all = historyOf(fold(tenantId, journal, endOfTime));
  const ahead = [...new Set(all.map(({ knownFrom }) => Date.parse(knownFrom)))].toSorted((one, other) => one - other);
  let now = begin;
  const directory = new FoldedDirectory(() => fold(tenantId, journal, now));
  const participant: Participant = {
    environment: 'sandbox',
    ispb,
    tenantId,
    directory,
    source: 'DICT_SIMULATOR',
    members: new Map([[ispb, tenantId]]),
    includeIndirect: false,
  };
  const events: NewEvent[] = [];
  let record: RecoveryRecord | null = null;
  for (;;) {
    const [wakeAt, next]: [string | null, number | undefined] = [
      (record as RecoveryRecord | null)?.wakeAt ?? null,
      ahead[0],
    ];
    if (wakeAt === null && next === undefined) return { events, record };
    now = Math.min(wakeAt === null ? Infinity : Date.parse(wakeAt), next ?? Infinity);
    if (now === next) ahead.shift();
    // A counterparty learns of a recovery when it receives a report.
    if (fold(tenantId, journal, now).runs.every(({ role, reports }) => role === 'RECEIVED' && reports.length === 0))
      continue;
    const { notifications } = await directory.listEventNotifications(ispb, { cursor: null });
    const id = all[0]?.fundsRecoveryId ?? '';
    const time = new Date(begin).toISOString();
    const { items: reports } = await directory.listInfractionReports(ispb, {
      role: 'counterparty',
      modifiedAfter: time,
    });
    const { items: refunds } = await directory.listRefunds(ispb, {
      role: 'CONTESTED',
      modifiedAfter: time,
      cursor: null,
    });
    const seen = await observe(participant, id, {
      ispb,
      at: new Date(now),
      known: record,
      listed: { reports, refunds },
      notifications,
    });
    if (seen === null) throw new Error('the recovery is not shown');
    const derived = derive(record, seen, standardStageLimits);
    events.push(...derived.events);
    record = derived.record;
  }
}

describe('a record that is read at every change', () => {
  const cases = scenarios
    .filter(({ expected }) => expected('SENT').length > 0)
    .flatMap((scenario) => scenario.roles.map((role) => ({ scenario, role, name: scenario.name })));

  it.each(cases)(
    '$name as $role publishes every event of its lifecycle once, with its time',
    async ({ scenario, role }) => {
      const open = scenario.open({
        runId: `run of ${scenario.name}`,
        role,
        amount: '812.40',
        pace: 'stepped',
        onTimeout: null,
        situation: 'SCAM',
      });
      const journal = [{ seq: 1, at: new Date(begin).toISOString(), command: open }];
      const { events } = await follow(journal);
      expect(events.map(({ eventType }) => eventType)).toEqual(
        scenario.expected(role).map(({ eventType }) => eventType),
      );
      const history = historyOf(fold(tenantId, journal, endOfTime));
      expect(events.map(({ dedupeKey, status, occurredAt }) => [dedupeKey, status, occurredAt])).toEqual(
        history.map(({ dedupeKey, status, occurredAt }) => [dedupeKey, status, occurredAt]),
      );
    },
  );
});

function run(...observations: Observation[]) {
  let record: RecoveryRecord | null = null;
  const batches = observations.map((observation) => {
    const derived = derive(record, observation, standardStageLimits);
    record = derived.record;
    return {
      told: derived.events.map(({ eventType, status, occurredAt }) => [short(eventType), status, occurredAt]),
      ...derived,
    };
  });
  return batches;
}

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
      60,
      63,
    ],
    [
      'ANALYSED',
      'the wait for it',
      {
        reports: [report(1, 2), report(30, 31, { Id: 'r2', TransactionId: 'E2' })],
        notifications: [notification('ANALYSED', 29)],
      },
      60,
      31,
    ],
    [
      'REFUNDING',
      'the analysis',
      { reports: [report(1, 50)], refunds: [refund(58, 60)], notifications: [notification('ANALYSED', 59)] },
      60,
      59,
    ],
    [
      'COMPLETED',
      'the last refund',
      { reports: [report(1, 50)], refunds: [refund(58, 72)], notifications: [notification('COMPLETED', 70)] },
      70,
      72,
    ],
    [
      'CANCELLED',
      'the cancellation of the reports',
      { reports: [report(1, 66, { Status: 'CANCELLED' })], notifications: [notification('CANCELLED', 65)] },
      65,
      66,
    ],
    [
      'AWAITING_ANALYSIS',
      'the reports that follow the root’s',
      { reports: [report(0, 0, { Status: 'OPEN' }), report(9, 9, { Id: 'r2', TransactionId: 'E2', Status: 'OPEN' })] },
      10,
      9,
    ],
  ] as const)('tells %s at a time that is not before %s', (status, _, more, modified, expected) => {
    const [seenOnce] = run(seen(100, recovery(status, modified), more as Partial<Observation>));
    const told = seenOnce?.told ?? [];
    expect(told.find(([type]) => type === status)?.[2]).toBe(at(expected));
    // The facts behind a status are published before the status itself.
    const times = told.map(([, , time]) => time!);
    expect(times).toEqual(times.toSorted());
  });

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
