/** Tests of which tenants a page of the directory is delivered to. */
import { randomUUID } from 'node:crypto';
import { Registry } from 'prom-client';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { FoldedDirectory } from '../../../test/support/folded-directory.ts';
import { createTestDatabase, type TestDatabase } from '../../../test/support/postgres.ts';
import {
  type Directory,
  DirectoryError,
  type InfractionReportDocument,
  type NotificationDocument,
  type RecoveryDocument,
} from '../../providers/directory/index.ts';
import { standardStageLimits } from '../recoveries/recovery.ts';
import { IngestionAlarm, type IngestionContext } from './context.ts';
import { listReports } from './observe.ts';
import { Backoff } from './outage.ts';
import type { Participant } from './participants.ts';
import { pollNotifications } from './poll.ts';

const [own, indirect] = ['11111111', '22222222'];
const now = new Date('2026-11-21T12:00:00.000Z');
const time = '2026-11-21T11:00:00.000Z';

let test: TestDatabase;
let [ours, theirs] = ['', ''];
let alarms: string[];
let notifications: NotificationDocument[];
let recoveries: Map<string, RecoveryDocument>;
beforeAll(async () => {
  test = await createTestDatabase();
});
afterAll(() => test.close());
beforeEach(async () => {
  [ours, theirs] = [await test.tenant(), await test.tenant()];
  [alarms, notifications, recoveries] = [[], [], new Map()];
});

function announce(participant: string, changes: Partial<NotificationDocument> = {}): string {
  const id = randomUUID();
  recoveries.set(id, {
    Id: id,
    Status: 'CREATED',
    RootTransactionId: 'E1',
    ReporterParticipant: participant,
    CreationTime: time,
    LastModified: time,
  });
  notifications.push({
    Id: String(notifications.length + 1),
    Event: 'FUNDS_RECOVERY_INFORMATION_UPDATED',
    EntityType: 'FUNDS_RECOVERY',
    EntityId: id,
    Timestamp: time,
    Participant: participant,
    ...changes,
  });
  return id;
}

function participant(): Participant {
  const empty = new FoldedDirectory(() => ({
    tenantId: ours,
    ispb: own,
    now: now.getTime(),
    runs: [],
    notifications: [],
  }));
  const directory: Directory = Object.assign(Object.create(empty) as Directory, {
    listEventNotifications: async () => ({
      ...(await empty.listEventNotifications(own, { cursor: null })),
      notifications,
    }),
    getFundsRecovery: async (_: string, id: string) => {
      const document = recoveries.get(id);
      if (document === undefined) throw new DirectoryError('NotFound', 'There is none');
      return { ...(await empty.listEventNotifications(own, { cursor: null })), document };
    },
    listInfractionReports: empty.listInfractionReports.bind(empty),
    listRefunds: empty.listRefunds.bind(empty),
    listRecoveryInfractionReports: () => Promise.reject(new DirectoryError('Forbidden', 'Not yet')),
    listRecoveryRefunds: () => Promise.reject(new DirectoryError('Forbidden', 'Not yet')),
  });
  return {
    environment: 'live',
    ispb: own,
    tenantId: ours,
    directory,
    source: 'DICT',
    members: new Map([
      [own, ours],
      [indirect, theirs],
    ]),
    includeIndirect: true,
  };
}

function ingesting(): IngestionContext {
  const note = (fields: object) => void alarms.push((fields as { kind: string }).kind);
  return {
    database: test.database,
    limits: standardStageLimits,
    alarm: new IngestionAlarm(new Registry(), { info() {}, warn: note, error: note }),
    timeOf: async () => now,
    signal: new AbortController().signal,
  };
}

const published = async (tenantId: string) => {
  const recoveries = await test.sql<{ id: string }>(
    `SELECT DISTINCT funds_recovery_id AS id FROM fr_event WHERE tenant_id = $1 AND env = 'live'`,
    [tenantId],
  );
  return recoveries.map(({ id }) => id);
};

describe('a page of a participant that includes indirect ones', () => {
  it('is delivered to the tenants of the participants that it concerns', async () => {
    const [mine, another] = [announce(own), announce(indirect)];
    await pollNotifications(ingesting(), participant());
    expect([await published(ours), await published(theirs)]).toEqual([[mine], [another]]);
    expect(alarms).toEqual([]);
  });

  it('is stored if it concerns a participant that is not configured, and raises one alarm', async () => {
    announce('33333333');
    const mine = announce(own);
    await pollNotifications(ingesting(), participant());
    await pollNotifications(ingesting(), participant());
    expect([await published(ours), await published(theirs), alarms]).toEqual([[mine], [], ['unmapped_participant']]);
    expect(await test.sql('SELECT verdict FROM dict_inbox WHERE tenant_id = $1', [ours])).toEqual([
      { verdict: 'unmapped_participant' },
    ]);
  });
});

describe('a page', () => {
  it('with an unknown kind of entity is stored and not published', async () => {
    announce(own, { EntityType: 'CLAIM' });
    await pollNotifications(ingesting(), participant());
    expect([await published(ours), alarms]).toEqual([[], ['unknown_entity']]);
  });

  it('about a recovery that the directory does not show raises an alarm and delays nothing', async () => {
    recoveries.delete(announce(own));
    const shown = announce(own);
    await pollNotifications(ingesting(), participant());
    expect([await published(ours), alarms]).toEqual([[shown], ['recovery_not_shown']]);
  });
});

describe('a list of reports', () => {
  it('continues after a page that is full of one millisecond, and reports that it was cut', async () => {
    const report = (n: number, modified: string): InfractionReportDocument => ({
      Id: String(n),
      Status: 'OPEN',
      ReporterParticipant: own,
      CounterpartyParticipant: own,
      CreationTime: time,
      LastModified: modified,
    });
    const later = '2026-11-21T11:00:00.001Z';
    const requestedTimes: string[] = [];
    const of = participant();
    const directory: Directory = Object.assign(Object.create(of.directory) as Directory, {
      listInfractionReports: async (_: string, { modifiedAfter }: { modifiedAfter: string }) => {
        requestedTimes.push(modifiedAfter);
        return modifiedAfter <= time
          ? { items: [report(1, time), report(2, time)], hasMore: true }
          : { items: [report(3, later)], hasMore: false };
      },
    });
    const pages = [];
    for await (const page of listReports({ ...of, directory }, 'reporter', '2026-11-21T10:00:00.000Z'))
      pages.push([page.items.map(({ Id }) => Id).join(), page.isTruncated]);
    expect(pages).toEqual([
      ['1,2', false],
      ['1,2', true],
      ['3', false],
    ]);
    expect(requestedTimes).toEqual(['2026-11-21T10:00:00.000Z', time, later]);
  });
});

describe('the backoff', () => {
  const refused = (seconds: number | null) =>
    new DirectoryError('RateLimited', 'Too many', { retryAfterSeconds: seconds });
  const secondsAfter = (...errors: unknown[]) => {
    const backoff = new Backoff();
    for (const error of errors) backoff.failed(error, now);
    return Array.from({ length: 1200 }, (_, second) => second).find((second) =>
      backoff.isOver(new Date(now.getTime() + second * 1000)),
    );
  };

  it('lasts as long as the directory says, or else a minute that doubles up to ten', () => {
    expect(secondsAfter(refused(17))).toBe(17);
    expect(
      [1, 2, 3, 4, 5, 6].map((times) => secondsAfter(...Array.from({ length: times }, () => refused(null)))),
    ).toEqual([60, 120, 240, 480, 600, 600]);
    expect(secondsAfter(new DirectoryError('ServiceUnavailable', 'Closed', { retryAfterSeconds: 30 }))).toBe(30);
  });

  it('does not start if no response arrived', () => {
    expect(secondsAfter(new DirectoryError('Transport', 'Reset'), new Error('a fault of our own'))).toBe(0);
  });
});
