/** Tests of the retention period of events, and of its metrics. */
import { beforeAll, expect, it } from 'vitest';
import { recoveryEvents } from '../support/recovery-events.ts';
import { takeInRecovery } from '../support/recoveries.ts';
import { idsOf, useFeed } from './funds-recovery-world.ts';

const hour = 60 * 60_000;

const world = await useFeed();
beforeAll(async () => {});

const metrics = async () => (await world.service.request('GET', '/metrics')).text;

it('deletes events past their retention period, and rejects a cursor before them as expired', async () => {
  const reader = await world.newClient();
  await world.publish(recoveryEvents(5));
  const [first, all] = [await world.page(reader, { limit: 1 }), await world.page(reader)];
  await world.page(reader, { cursor: all.body.cursor ?? '' });
  await world.service.database.sql(
    `UPDATE fr_event SET received_at = now() - interval '401 days' WHERE tenant_id = $1 AND seq <= 3`,
    [world.service.acme.id],
  );

  expect(await world.service.running.runJob('feed.purge')).toBe(3);
  expect((await world.refusal(reader, { cursor: first.body.cursor ?? '' })).body).toMatchObject({
    status: 400,
    code: 'cursor_expired',
  });
  expect(idsOf(await world.page(await world.newClient()))).toEqual(idsOf(all).slice(3));
  expect(await world.service.running.runJob('feed.check')).toBe(0);
  expect(await world.service.running.runJob('inbox.purge')).toBe(0);
});

it('reports due recoveries and unacknowledged events as metrics', async () => {
  const { service } = world;
  const tenant = await service.tenant();
  for (const hoursAgo of [61, 50])
    await takeInRecovery(service.database.database, tenant.id, {
      status: 'ANALYSED',
      createdAt: new Date(Date.now() - 80 * hour),
      analysedAt: new Date(Date.now() - hoursAgo * hour),
    });
  await service.running.runJob('feed.sample');
  expect(await metrics()).toContain('funds_recovery_deadlines_soon{env="live"} 1');
  expect(await metrics()).toMatch(/^funds_recovery_oldest_unacknowledged_seconds\{env="live"\} \d/m);
});
