/** Tests that following every scenario of the simulator derives the events that the scenario promises. */
import { describe, expect, it } from 'vitest';
import { FoldedDirectory } from '../../../test/support/folded-directory.ts';
import { begin, ispb, tenantId } from '../../../test/support/recovery-observations.ts';
import { fold } from '../../simulators/directory/core/fold.ts';
import { historyOf } from '../../simulators/directory/core/history.ts';
import type { JournalEntry } from '../../simulators/directory/core/model.ts';
import { scenarios } from '../../simulators/directory/scenarios/catalogue.ts';
import type { NewEvent } from '../recovery-feed/publish.ts';
import { observe } from '../recovery-ingestion/observe.ts';
import type { Participant } from '../recovery-ingestion/participants.ts';
import { derive } from './derive.ts';
import { type RecoveryRecord, standardStageLimits } from './recovery.ts';

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
