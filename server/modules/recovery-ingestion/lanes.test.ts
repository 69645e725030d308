/** Tests of ingestion when the directory allows no more reads. */
import { Registry } from 'prom-client';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { named } from '../../../test/support/courses.ts';
import { FoldedDirectory } from '../../../test/support/folded-directory.ts';
import { createTestDatabase, type TestDatabase } from '../../../test/support/postgres.ts';
import { silent } from '../../../test/support/silent.ts';
import { type Directory, DirectoryError } from '../../providers/directory/index.ts';
import { fold } from '../../simulators/directory/core/fold.ts';
import { historyOf } from '../../simulators/directory/core/history.ts';
import type { JournalEntry, Role } from '../../simulators/directory/core/model.ts';
import { sandboxIspb } from '../../simulators/directory/core/values.ts';
import { standardStageLimits } from '../recoveries/index.ts';
import { IngestionAlarm, type IngestionContext } from './context.ts';
import { readDocuments } from './documents.ts';
import type { Participant } from './participants.ts';
import { followAnnouncements, pollRound } from './round.ts';

const begin = Date.parse('2026-11-21T12:00:00.000Z');
const [minute, hour] = [60_000, 3_600_000];

let test: TestDatabase;
let tenantId: string;
let journal: JournalEntry[];
let now: number;
/** Reads of recoveries that the directory still allows. */
let left: number;
let calls: Map<string, number>;
beforeAll(async () => {
  test = await createTestDatabase();
});
afterAll(() => test.close());
beforeEach(async () => {
  tenantId = await test.tenant();
  [journal, now, left, calls] = [[], begin, Infinity, new Map()];
});

function play(name: string, role: Role = 'SENT', at = begin): void {
  const runId = `run ${journal.length}`;
  journal.push({
    seq: journal.length + 1,
    at: new Date(at).toISOString(),
    command: named(name).open({
      runId,
      role,
      amount: '812.40',
      pace: 'stepped',
      onTimeout: null,
      situation: 'SCAM',
    }),
  });
}

function participant(refuse: (name: string) => boolean = () => false): Participant {
  const ispb = sandboxIspb(tenantId);
  const directory = new Proxy(new FoldedDirectory(() => fold(tenantId, journal, now)) as Directory, {
    get(target, name: keyof Directory) {
      if (name === 'recoveryReadsLeft') return async () => left;
      return async (...given: unknown[]): Promise<unknown> => {
        calls.set(name, (calls.get(name) ?? 0) + 1);
        if (refuse(name)) throw new DirectoryError('RateLimited', 'Too many');
        return (target[name] as (...all: unknown[]) => Promise<unknown>).apply(target, given);
      };
    },
  });
  return {
    environment: 'live',
    ispb,
    tenantId,
    directory,
    source: 'DICT',
    members: new Map([[ispb, tenantId]]),
    includeIndirect: false,
  };
}

const ingesting = (): IngestionContext => ({
  database: test.database,
  limits: standardStageLimits,
  alarm: new IngestionAlarm(new Registry(), silent),
  timeOf: async () => new Date(now),
  signal: new AbortController().signal,
});
const published = async () => {
  const events = await test.sql<{ key: string }>(
    'SELECT dedupe_key AS key FROM fr_event WHERE tenant_id = $1 ORDER BY seq',
    [tenantId],
  );
  return events.map(({ key }) => key);
};
const happened = () => historyOf(fold(tenantId, journal, now)).map(({ dedupeKey }) => dedupeKey);
const announced = () =>
  historyOf(fold(tenantId, journal, now))
    .filter(({ origin }) => origin === 'NATIVE')
    .map(({ dedupeKey }) => dedupeKey);

describe('without any reads of recoveries left', () => {
  it('notifications of known recoveries are published with the stored document, and the recoveries are read first in the next round', async () => {
    play('information-updated');
    await pollRound(ingesting(), participant(), false);
    now = begin + 8 * hour;
    left = 0;
    await followAnnouncements(ingesting(), participant());
    expect(announced().length).toBeGreaterThan(1);
    expect(await published()).toEqual(expect.arrayContaining(announced()));
    left = Infinity;
    await readDocuments(ingesting(), participant(), false);
    expect((await published()).toSorted()).toEqual(happened().toSorted());
  });

  it('a page that announces an unknown recovery is read again until the recovery can be read', async () => {
    play('information-updated');
    now = begin + 8 * hour;
    left = 0;
    await followAnnouncements(ingesting(), participant());
    expect(await published()).toEqual([]);
    left = Infinity;
    await followAnnouncements(ingesting(), participant());
    expect((await published()).toSorted()).toEqual(happened().toSorted());
  });

  it('a recovery that only a list contains is stored, and read once reads are allowed', async () => {
    play('happy-path', 'RECEIVED');
    now = begin + 5 * minute;
    left = 0;
    await pollRound(ingesting(), participant(), false);
    // The list has been read to its end and does not show the report again.
    now += 30 * minute;
    await pollRound(ingesting(), participant(), false);
    expect(await published()).toEqual([]);
    left = Infinity;
    await readDocuments(ingesting(), participant(), false);
    expect((await published()).toSorted()).toEqual(happened().toSorted());
    expect(await test.sql('SELECT FROM dict_unread WHERE tenant_id = $1', [tenantId])).toEqual([]);
  });
});

it('a directory that refuses reads of recoveries does not delay the notifications', async () => {
  play('information-updated');
  await pollRound(ingesting(), participant(), false);
  now = begin + 8 * hour;
  await followAnnouncements(
    ingesting(),
    participant((name) => name === 'getFundsRecovery'),
  );
  expect(await published()).toEqual(expect.arrayContaining(announced()));
});

it('reads for other reasons leave a share for announced recoveries', async () => {
  play('information-updated');
  await pollRound(ingesting(), participant(), false);
  now = begin + 8 * hour;
  [left, calls] = [75, new Map()];
  await readDocuments(ingesting(), participant(), true);
  expect(calls.get('getFundsRecovery')).toBeUndefined();
  await followAnnouncements(ingesting(), participant());
  expect(calls.get('getFundsRecovery')).toBe(1);
});

it('lists are read once in a round, however many recoveries were received', async () => {
  for (let count = 0; count < 10; count++) play('information-updated', 'RECEIVED', begin + count);
  now = begin + 8 * hour;
  await pollRound(ingesting(), participant(), true);
  expect((await published()).toSorted()).toEqual(happened().toSorted());
  expect([calls.get('listInfractionReports'), calls.get('listRefunds')]).toEqual([2, 2]);
});

it('a report of money that was passed on, which a list shows to the participant that passed it on, is published only to the participant that answers', async () => {
  play('tracking-three-reports', 'RECEIVED');
  now = begin + 8 * hour;
  const { directory, ispb } = participant();
  const { items } = await directory.listInfractionReports(ispb, {
    role: 'reporter',
    modifiedAfter: new Date(begin - hour).toISOString(),
    includeIndirect: false,
  });
  expect(items.length).toBeGreaterThan(0);
  await pollRound(ingesting(), participant(), true);
  expect((await published()).filter((key) => items.some(({ Id }) => key.includes(Id)))).toEqual([]);
  expect((await published()).toSorted()).toEqual(happened().toSorted());
});

it('a missing graph is requested again after pauses that grow with the time since the last change', async () => {
  play('analysis-timeout');
  const { directory, ...rest } = participant();
  const without: Participant = {
    ...rest,
    directory: new Proxy(directory, {
      get: (target, name: keyof Directory) =>
        name !== 'getTrackingGraph'
          ? target[name]
          : async () => {
              calls.set(name, (calls.get(name) ?? 0) + 1);
              throw new DirectoryError('NotFound', 'There is none');
            },
    }),
  };
  const requestedAt: number[] = [];
  for (now = begin + hour; now < begin + 4 * 24 * hour; now += 3 * hour) {
    calls.clear();
    await pollRound(ingesting(), without, true);
    if ((calls.get('getTrackingGraph') ?? 0) > 0) requestedAt.push((now - begin) / hour);
  }
  // Of 32 rounds, those in which a report has changed or the time without change has doubled.
  expect(requestedAt.length).toBeGreaterThan(2);
  expect(requestedAt.length).toBeLessThan(12);
});
