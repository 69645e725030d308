/** Tests that following the directory loses and repeats no event in spite of faulty responses and outages. */
import { describe, expect, it } from 'vitest';
import { success } from '../support/api.ts';
import { shared } from '../support/service.ts';
import { sequenceOf, World, type Sandbox } from './funds-recovery-scenarios-world.ts';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

const world = await shared(World.start());

interface StreamRow {
  readonly page_cursor: string | null;
  readonly tail: readonly string[];
  readonly version: number;
  readonly last_ok_at: string;
  readonly gap_since: string | null;
}

const stream = async ({ tenantId }: Sandbox) =>
  (
    await world.service.database.sql<StreamRow & Record<string, unknown>>(
      'SELECT * FROM dict_stream WHERE tenant_id = $1',
      [tenantId],
    )
  )[0];
const verdicts = async ({ tenantId }: Sandbox) =>
  (
    await world.service.database.sql<{ verdict: string }>(
      'SELECT verdict FROM dict_inbox WHERE tenant_id = $1 ORDER BY received_at',
      [tenantId],
    )
  ).map(({ verdict }) => verdict);
/** Returns the kinds of the alarms that the service has logged about the tenant. */
const alarms = ({ tenantId }: Sandbox) =>
  world.lines
    .map((line) => JSON.parse(line) as { tenantId?: string; kind?: string })
    .filter((line) => line.tenantId === tenantId)
    .map(({ kind }) => kind);

/**
 * Removes acknowledgements of reports. If no poll took place between the acknowledgement and the answer of a report,
 * the acknowledgement is derived from the answer and published with it, so its position in the feed differs.
 */
const withoutAcknowledgements = (types: readonly string[]): string[] =>
  types.filter((type) => type !== 'REPORT_ACKNOWLEDGED');

/** Expects that the feed contains every event of the directory's history exactly once. */
async function expectWholeHistory(sandbox: Sandbox): Promise<void> {
  const [feed, history] = [await sandbox.feed(), await sandbox.history()];
  expect(feed.map(({ dedupe_key }) => dedupe_key).sort()).toEqual(history.map(({ dedupeKey }) => dedupeKey).sort());
  expect(feed.map(({ seq }) => Number(seq))).toEqual(feed.map((_, index) => index + 1));
}

describe('a poll', () => {
  it('reads everything that happened since the last poll from one page, in order', async () => {
    const sandbox = await world.sandbox();
    await sandbox.startScenario('analysed-at-once');
    await sandbox.advance(minute);
    await sandbox.pollNow();
    expect(await sandbox.types()).toEqual([
      'CREATED',
      'REPORT_OPENED',
      'TRACKED',
      'REPORT_OPENED',
      'REPORT_OPENED',
      'AWAITING_ANALYSIS',
      ...Array<string[]>(3).fill(['REPORT_ACKNOWLEDGED', 'COUNTERPARTY_ANALYSED']).flat(),
      'ANALYSED',
    ]);
  });

  it('publishes nothing new if the last page is read again or the directory repeats a page', async () => {
    const sandbox = await world.sandbox();
    await sandbox.startScenario('happy-path');
    await sandbox.advance(2 * day);
    await sandbox.pollNow();
    const before = await sandbox.feed();
    await sandbox.pollNow();
    await sandbox.arm('duplicate_page');
    await sandbox.pollNow();
    expect(await sandbox.feed()).toEqual(before);
    expect(await verdicts(sandbox)).toEqual(['processed']);
  });

  it('sorts a page whose notifications are in reverse order', async () => {
    const sandbox = await world.sandbox();
    await sandbox.startScenario('happy-path');
    await sandbox.advance(2 * day);
    await sandbox.arm('reversed_page');
    await sandbox.pollNow();
    expect(await sandbox.types()).toEqual(sequenceOf('happy-path'));
  });

  it('publishes an analysis once if its notification is late, with the payload of the notification', async () => {
    const sandbox = await world.sandbox();
    await sandbox.startScenario('happy-path');
    await sandbox.arm('late_notification');
    await sandbox.advance(6 * hour + 4 * minute);
    await sandbox.pollNow();
    expect(await sandbox.types()).not.toContain('ANALYSED');
    await sandbox.advance(6 * minute);
    await sandbox.pollNow();
    await sandbox.advance(20 * minute);
    await sandbox.pollNow();
    const analyses = (await sandbox.feed()).filter(({ event_type }) => event_type === 'FUNDS_RECOVERY_ANALYSED');
    expect(analyses.map(({ raw_payload }) => raw_payload['@meta'].origin)).toEqual(['NATIVE']);
  });

  it('publishes a derived analysis ten minutes after it was made if its notification never arrives', async () => {
    const sandbox = await world.sandbox();
    await sandbox.startScenario('happy-path');
    await sandbox.arm('dropped_notification');
    await sandbox.advance(6 * hour + 4 * minute);
    await sandbox.pollNow();
    await sandbox.advance(9 * minute);
    await sandbox.pollNow();
    expect(await sandbox.types()).not.toContain('ANALYSED');
    await sandbox.advance(minute + 1000);
    await sandbox.pollNow();
    const analyses = (await sandbox.feed()).filter(({ event_type }) => event_type === 'FUNDS_RECOVERY_ANALYSED');
    expect(analyses.map(({ raw_payload }) => raw_payload['@meta'].origin)).toEqual(['DERIVED']);
  });

  it('drops a cursor that the directory rejects, reads from the beginning and publishes nothing twice', async () => {
    const sandbox = await world.sandbox();
    await sandbox.startScenario('happy-path');
    await sandbox.advance(2 * day);
    await sandbox.pollNow();
    await world.service.database.sql(
      `UPDATE dict_stream SET page_cursor = 'no-cursor-of-this-directory' WHERE tenant_id = $1`,
      [sandbox.tenantId],
    );
    await sandbox.pollNow();
    expect((await stream(sandbox))?.page_cursor).toBeNull();
    expect(await sandbox.types()).toEqual(sequenceOf('happy-path'));
    await sandbox.arm('cursor_invalidated');
    await sandbox.pollNow();
    await expectWholeHistory(sandbox);
  });

  it.each([
    ['wrong_signature', 'signature_invalid'],
    ['truncated', 'unreadable'],
  ] as const)(
    'rejects a page with the fault %s, keeps its position and logs an alarm; the next good page is processed',
    async (fault, verdict) => {
      const sandbox = await world.sandbox();
      await sandbox.pollNow();
      const before = await stream(sandbox);
      await sandbox.startScenario('happy-path');
      await sandbox.advance(2 * day);
      await sandbox.arm(fault);
      await sandbox.pollNow();
      expect(await stream(sandbox)).toEqual(before);
      expect([await sandbox.types(), await verdicts(sandbox)]).toEqual([[], [verdict]]);
      expect(alarms(sandbox)).toContain(verdict);
      await sandbox.pollNow();
      expect(await sandbox.types()).toEqual(sequenceOf('happy-path'));
      expect(await verdicts(sandbox)).toEqual([verdict, 'processed']);
    },
  );

  it('waits for as long as the directory requires if it is unavailable or limits the rate, and loses nothing', async () => {
    const sandbox = await world.sandbox();
    await sandbox.startScenario('happy-path');
    await sandbox.advance(2 * day);
    await sandbox.arm('unavailable');
    await sandbox.pollNow();
    await sandbox.pollNow();
    expect(await sandbox.types()).toEqual([]);
    world.service.advance(29_000);
    await sandbox.pollNow();
    expect(await sandbox.types()).toEqual([]);
    world.service.advance(1_000);
    await sandbox.arm('rate_limited');
    await sandbox.pollNow();
    expect(await sandbox.types()).toEqual([]);
    world.service.advance(61_000);
    await sandbox.pollNow();
    expect(await sandbox.types()).toEqual(sequenceOf('happy-path'));
  });

  it('tolerates unknown names in a response', async () => {
    const sandbox = await world.sandbox();
    await sandbox.startScenario('information-updated');
    await sandbox.advance(2 * hour);
    await sandbox.arm('unknown_enum', 2);
    await sandbox.pollNow();
    await sandbox.advanceAndPoll(3);
    await expect(sandbox.types()).resolves.toEqual(expect.arrayContaining(sequenceOf('information-updated')));
  });
});

describe('an outage', () => {
  it('of three days loses no event and keeps the order', async () => {
    const sandbox = await world.sandbox();
    await sandbox.startScenario('tracking-three-reports');
    await sandbox.pollNow();
    await sandbox.advance(3 * day);
    await sandbox.pollNow();
    expect(withoutAcknowledgements(await sandbox.types())).toEqual(
      withoutAcknowledgements(sequenceOf('tracking-three-reports')),
    );
    await expectWholeHistory(sandbox);
  });

  it('of nine days, longer than notifications are stored, is caught up with the times of the directory', async () => {
    const sandbox = await world.sandbox();
    await sandbox.pollNow();
    await sandbox.startScenario('tracking-three-reports');
    await sandbox.advance(9 * day);
    await sandbox.pollNow();
    expect(withoutAcknowledgements(await sandbox.types())).toEqual(
      withoutAcknowledgements(sequenceOf('tracking-three-reports')),
    );
    const [feed, history] = [await sandbox.feed(), await sandbox.history()];
    const isOther = (key: string): boolean => !key.endsWith(':ACKNOWLEDGED');
    expect(
      feed
        .filter(({ dedupe_key }) => isOther(dedupe_key))
        .map(({ dedupe_key, occurred_at }) => [dedupe_key, new Date(occurred_at).toISOString()]),
    ).toEqual(
      history.filter(({ dedupeKey }) => isOther(dedupeKey)).map(({ dedupeKey, occurredAt }) => [dedupeKey, occurredAt]),
    );
    expect(alarms(sandbox)).toEqual(['notifications_lost']);
    expect((await stream(sandbox))?.gap_since).toBeNull();
  });

  it('is reported after a day, and again after five', async () => {
    const sandbox = await world.sandbox();
    await sandbox.pollNow();
    for (const days of [1, 1, 3]) {
      await sandbox.advance(days * day);
      await sandbox.arm('truncated');
      await sandbox.pollNow();
    }
    expect(alarms(sandbox).filter((kind) => kind?.startsWith('silent'))).toEqual([
      'silent_for_a_day',
      'silent_for_five_days',
    ]);
  });
});

describe('several processes that follow one participant', () => {
  it('publish each event once, while a reader sees every position of the feed', async () => {
    const sandbox = await world.sandbox();
    for (let run = 0; run < 5; run += 1) await sandbox.startScenario('happy-path');
    const seen: number[] = [];
    for (let step = 0; step < 12; step += 1) {
      await sandbox.advance(2 * hour);
      await Promise.all([sandbox.pollNow(), sandbox.pollNow(), world.ingestion.pollAll()]);
      seen.push(...(await sandbox.feed()).map(({ seq }) => Number(seq)).filter((seq) => seq > (seen.at(-1) ?? 0)));
    }
    await expectWholeHistory(sandbox);
    expect(seen).toEqual(Array.from({ length: seen.length }, (_, index) => index + 1));
  });

  it('write nothing back to a sandbox that is reset during a poll', async () => {
    const sandbox = await world.sandbox();
    await sandbox.startScenario('happy-path');
    await sandbox.advance(2 * day);
    const tenant = await world.service.tenant();
    const other = sandbox.sandboxOf(tenant.id);
    await other.startScenario('happy-path');
    await other.advance(2 * day);
    const [, answer] = await Promise.all([
      other.pollNow(),
      world.service.request('DELETE', '/v1/sandbox/data', { as: await tenant.key(['admin']) }),
    ]);
    expect(answer.status).toBe(200);
    await world.ingestion.settled(tenant.id);
    // A poll that wrote only in part would leave different numbers of records and of recoveries in the feed.
    const [records] = await world.service.database.sql<{ whole: boolean }>(
      `SELECT (SELECT count(*) FROM fr_record WHERE tenant_id = $1) = (SELECT count(*) FROM fr_recovery
        WHERE tenant_id = $1) AS whole`,
      [tenant.id],
    );
    expect(records).toEqual({ whole: true });
    await other.pollNow();
    expect(await other.history()).toEqual([]);
  });
});

describe('an action of the tenant', () => {
  it('publishes no event of a funds recovery', async () => {
    const tenant = await world.service.tenant();
    await success(world.service.api.POST('/v1/sandbox/enable', { headers: await tenant.key(['admin']) }));
    await success(
      world.service.api.POST('/v1/applications', {
        headers: await tenant.key(['write']),
        body: { purpose: 'other', applicant: { fullName: 'Maria da Silva' } },
      }),
    );
    await world.ingestion.pollNow(tenant.id);
    expect(await world.service.database.sql('SELECT 1 FROM fr_event WHERE tenant_id = $1', [tenant.id])).toEqual([]);
  });
});
