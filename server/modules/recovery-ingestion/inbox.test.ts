/** Tests of storing pages of the directory, and of pages that are refused. */
import { Registry } from 'prom-client';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { FoldedDirectory } from '../../../test/support/folded-directory.ts';
import { createTestDatabase, type TestDatabase } from '../../../test/support/postgres.ts';
import { takeInRecovery } from '../../../test/support/recoveries.ts';
import { silent } from '../../../test/support/silent.ts';
import { type Directory, DirectoryError } from '../../providers/directory/index.ts';
import { standardStageLimits } from '../recoveries/recovery.ts';
import { IngestionAlarm } from './context.ts';
import { keepPage } from './inbox-store.ts';
import { StalenessWatch } from './outage.ts';
import type { Participant } from './participants.ts';
import { pollNotifications } from './poll.ts';

const ispb = '11111111';
const start = new Date('2026-11-21T12:00:00.000Z');
const minutesLater = (count: number): Date => new Date(start.getTime() + count * 60_000);

let test: TestDatabase;
let tenantId: string;
beforeAll(async () => {
  test = await createTestDatabase();
});
afterAll(() => test.close());
beforeEach(async () => {
  tenantId = await test.tenant();
});

function participant(refusal?: () => DirectoryError): Participant {
  const empty = new FoldedDirectory(() => ({
    tenantId,
    ispb,
    now: start.getTime(),
    runs: [],
    notifications: [],
  }));
  const directory: Directory =
    refusal === undefined
      ? empty
      : Object.assign(Object.create(empty) as Directory, { listEventNotifications: () => Promise.reject(refusal()) });
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

const pollAt = (at: Date, of: Participant, alarm = new IngestionAlarm(new Registry(), silent)) =>
  pollNotifications(
    {
      database: test.database,
      limits: standardStageLimits,
      alarm,
      timeOf: async () => at,
      signal: new AbortController().signal,
    },
    of,
  );

const rows = () =>
  test.sql('SELECT verdict, sha256, xml FROM dict_inbox WHERE tenant_id = $1 ORDER BY received_at', [tenantId]);

describe('a refused page', () => {
  const forged = (hash: string) =>
    participant(() => new DirectoryError('SignatureInvalid', 'not believed', { sha256: hash }));

  it('is recorded by its hash, without its content', async () => {
    await expect(pollAt(start, forged('a'))).rejects.toThrow('not believed');
    expect(await rows()).toEqual([{ verdict: 'signature_invalid', sha256: 'a', xml: null }]);
  });

  it('is recorded once an hour for each kind, and counted every time', async () => {
    const registry = new Registry();
    const alarm = new IngestionAlarm(registry, silent);
    for (const [minute, hash] of ['a', 'b', 'c'].entries())
      await pollAt(minutesLater(minute * 20), forged(hash), alarm).catch(() => {});
    await pollAt(
      minutesLater(50),
      participant(() => new DirectoryError('Unreadable', 'too large')),
      alarm,
    ).catch(() => {});
    await pollAt(minutesLater(70), forged('d'), alarm).catch(() => {});
    expect(await rows()).toMatchObject([
      { verdict: 'signature_invalid', sha256: 'a' },
      { verdict: 'unreadable', sha256: null },
      { verdict: 'signature_invalid', sha256: 'd' },
    ]);
    expect(await registry.metrics()).toContain('directory_alarms_total{env="live",kind="signature_invalid"} 4');
  });
});

it('a page that names a recovery whose personal data was erased is stored as a hash only', async () => {
  const [erased, other] = [
    await takeInRecovery(test.database, tenantId),
    await takeInRecovery(test.database, tenantId),
  ];
  await test.sql('UPDATE fr_record SET erased_at = now() WHERE funds_recovery_id = $1', [erased]);
  for (const [sha256, mentions] of [
    ['a', [other, erased.toUpperCase()]],
    ['b', [other]],
  ] as const) {
    await test.database.transaction({ tenantId }, (tx) =>
      keepPage(tx, participant(), {
        at: start,
        sha256,
        xml: Buffer.from(sha256),
        verdict: 'processed',
        mentions,
      }),
    );
  }
  expect(await rows()).toMatchObject([
    { sha256: 'a', xml: null },
    { sha256: 'b', xml: Buffer.from('b') },
  ]);
});

it('a process that has received no page yet reports the time of the last page, or the epoch if there was none', async () => {
  const lastPage = async () => {
    const registry = new Registry();
    await new StalenessWatch().check(participant(), {
      database: test.database,
      alarm: new IngestionAlarm(registry, silent),
      at: minutesLater(10),
    });
    return (await registry.metrics()).match(/last_page_timestamp_seconds\{ispb="11111111"\} (\d+)/)?.[1];
  };
  expect(await lastPage()).toBe('0');
  await pollAt(start, participant());
  expect(await lastPage()).toBe(String(start.getTime() / 1000));
});
