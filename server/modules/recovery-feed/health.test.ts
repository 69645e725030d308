/** Tests of the checks that find lost events in the feed, and of its metrics. */
import { Registry } from 'prom-client';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../test/support/postgres.ts';
import { recoveryEvents } from '../../../test/support/recovery-events.ts';
import { createLog } from '../../base/log.ts';
import { observeTokens } from '../recovery-ingestion/context.ts';
import { FeedAlarm } from './feed-alarm.ts';
import { checkFeed, sampleFeeds } from './health.ts';
import { publishEvents } from './publish.ts';

let test: TestDatabase;
let tenantId: string;
let registry: Registry;
let alarm: FeedAlarm;
let lines: string[];
let now: Date;
beforeAll(async () => {
  test = await createTestDatabase();
});
afterAll(() => test.close());
beforeEach(async () => {
  tenantId = await test.tenant();
  registry = new Registry();
  lines = [];
  now = new Date();
  alarm = new FeedAlarm(registry, createLog('info', { write: (line) => lines.push(line) }), () => now);
});

const publish = (count: number) =>
  test.database.transaction({ tenantId }, (tx) => publishEvents(tx, 'live', recoveryEvents(count)));
const remove = (seq: number) =>
  test.sql(`UPDATE fr_event SET env = 'sandbox' WHERE tenant_id = $1 AND seq = $2`, [tenantId, seq]);

describe('the check of a feed', () => {
  it('finds no gap in an empty feed, a dense one and a purged one', async () => {
    expect(await checkFeed(test.database, tenantId, alarm)).toBe(0);
    await publish(5);
    expect(await checkFeed(test.database, tenantId, alarm)).toBe(0);
    await test.sql(`UPDATE fr_feed SET floor_seq = 3 WHERE tenant_id = $1 AND env = 'live'`, [tenantId]);
    expect(await checkFeed(test.database, tenantId, alarm)).toBe(0);
    expect(lines).toEqual([]);
  });

  it.each([1, 3, 5])('raises an alarm if event %i of five is missing', async (seq) => {
    await publish(5);
    await remove(seq);
    expect(await checkFeed(test.database, tenantId, alarm)).toBeGreaterThan(0);
    expect(await registry.metrics()).toContain('funds_recovery_feed_gaps_total{env="live"} 1');
    expect(lines.map((line) => JSON.parse(line) as object)).toContainEqual(
      expect.objectContaining({
        tenantId,
        env: 'live',
        from: 1,
        expected: 5,
        found: 4,
      }),
    );
  });

  it('raises an alarm if an event lies beyond the head', async () => {
    await publish(2);
    await test.sql(`UPDATE fr_feed SET last_seq = 1 WHERE tenant_id = $1 AND env = 'live'`, [tenantId]);
    expect(await checkFeed(test.database, tenantId, alarm)).toBe(1);
  });

  it('checks windows of a long feed, at its end and at a random place', async () => {
    await publish(3);
    // Simulates ten million purged events that the floor does not reflect.
    await test.sql('UPDATE fr_event SET seq = seq + 9999997 WHERE tenant_id = $1', [tenantId]);
    await test.sql(`UPDATE fr_feed SET last_seq = 10000000 WHERE tenant_id = $1 AND env = 'live'`, [tenantId]);
    expect(await checkFeed(test.database, tenantId, alarm, 0)).toBe(1);
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ from: 9_990_001, expected: 10_000, found: 3 });
  });
});

describe('the sample of all feeds', () => {
  const sample = () =>
    sampleFeeds(test.database, alarm, now, (work) => work({ id: tenantId, sandboxAheadMilliseconds: 0 }));
  const acknowledge = (consumer: string, seq: number, polledAt: Date) =>
    test.sql(
      `INSERT INTO fr_consumer (tenant_id, env, consumer_id, acked_seq, last_polled_at)
        VALUES ($1, 'live', $2, $3, $4)`,
      [tenantId, consumer, seq, polledAt],
    );
  const metric = async (name: string) =>
    Number((await registry.metrics()).match(new RegExp(`^${name}\\{env="live"\\} (.*)$`, 'm'))?.[1]);

  it('reports the age of the oldest event that an active consumer has not acknowledged', async () => {
    await publish(3);
    await test.sql(`UPDATE fr_event SET received_at = now() - (10 - seq) * interval '1 hour' WHERE tenant_id = $1`, [
      tenantId,
    ]);
    await acknowledge('client:ahead', 3, now);
    await sample();
    expect(await metric('funds_recovery_oldest_unacknowledged_seconds')).toBe(0);
    await acknowledge('client:behind', 1, now);
    await acknowledge('client:gone', 0, new Date(now.getTime() - 91 * 24 * 60 * 60_000));
    await sample();
    expect((await metric('funds_recovery_oldest_unacknowledged_seconds')) / 3600).toBeCloseTo(8, 1);
  });

  it('drops its sample once another process samples', async () => {
    await sample();
    expect(await metric('funds_recovery_deadlines_soon')).toBe(0);
    now = new Date(now.getTime() + 6 * 60_000);
    expect(await metric('funds_recovery_deadlines_soon')).toBeNaN();
  });
});

it('reports what is left of the directory’s rates at the time of the request', async () => {
  let tokens = 200;
  observeTokens(registry, { tokens: async () => [{ ispb: '12345678', policy: 'EVENT_LIST', tokens }] });
  expect(await registry.metrics()).toContain('directory_tokens{ispb="12345678",policy="EVENT_LIST"} 200');
  tokens = -1;
  expect(await registry.metrics()).toContain('directory_tokens{ispb="12345678",policy="EVENT_LIST"} -1');
});
