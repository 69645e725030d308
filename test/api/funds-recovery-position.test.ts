/** Tests of the position of a consumer in the feed, which its cursors and acknowledgements move. */
import { beforeEach, describe, expect, it } from 'vitest';
import { refusal, success } from '../support/api.ts';
import { recoveryEvents } from '../support/recovery-events.ts';
import type { Credential, Tenant } from '../support/service.ts';
import { idsOf, PATH, useFeed } from './funds-recovery-world.ts';

let tenant: Tenant;
let client: Credential;
const world = await useFeed();
beforeEach(async () => {
  tenant = await world.service.tenant();
  client = await world.newClient(tenant);
});

const publish = (count: number) => world.publish(recoveryEvents(count), 'live', tenant);
const page = (query: Record<string, string | number> = {}, as = client) => world.page(as, query);
const position = async (as = client) =>
  (await success(world.service.api.GET('/api/v1/funds-recovery/events/position', { headers: as }))).body;
const acknowledge = (cursor: string | null, as = client) =>
  world.service.request('POST', `${PATH}/ack`, { as, body: { cursor } });
const acknowledged = () =>
  world.service.database.sql<{ id: string; changes: string }>(
    `SELECT resource_id AS id, changes::text FROM audit_event
      WHERE tenant_id = $1 AND action = 'funds_recovery.events_acknowledged' ORDER BY sequence`,
    [tenant.id],
  );

describe('the position of a consumer', () => {
  it('is empty at first, with nothing pending in an empty feed', async () => {
    expect(await position()).toEqual({
      acknowledgedEventId: null,
      acknowledgedAt: null,
      pendingCount: 0,
      oldestUnacknowledgedAt: null,
    });
  });

  it('does not move when it is read, nor when a page is received', async () => {
    await publish(3);
    await page({ limit: 2 });
    const before = await position();
    expect(before).toEqual({
      acknowledgedEventId: null,
      acknowledgedAt: null,
      pendingCount: 3,
      oldestUnacknowledgedAt: expect.any(String),
    });
    expect(Math.abs(Date.parse(before.oldestUnacknowledgedAt ?? '') - Date.now())).toBeLessThan(60_000);
    expect(await position()).toEqual(before);
  });

  it('is that of the presented cursor, up to the end of the feed', async () => {
    await publish(3);
    const first = await page({ limit: 2 });
    const second = await page({ limit: 2, cursor: first.body.cursor ?? '' });
    expect(await position()).toEqual({
      acknowledgedEventId: first.body.events[1]?.eventId,
      acknowledgedAt: expect.any(String),
      pendingCount: 1,
      oldestUnacknowledgedAt: expect.any(String),
    });
    expect((await page({ cursor: second.body.cursor ?? '' })).body).toEqual({
      events: [],
      cursor: second.body.cursor,
      hasMore: false,
    });
    expect(await position()).toMatchObject({
      acknowledgedEventId: second.body.events[0]?.eventId,
      pendingCount: 0,
      oldestUnacknowledgedAt: null,
    });
  });

  it('is not lowered by an old cursor', async () => {
    await publish(3);
    const [first, all] = [await page({ limit: 1 }), await page({ limit: 3 })];
    await page({ cursor: all.body.cursor ?? '' });
    const before = await position();
    expect(idsOf(await page({ cursor: first.body.cursor ?? '' }))).toHaveLength(2);
    expect(await position()).toEqual(before);
  });

  it('is each consumer’s own, and each environment’s', async () => {
    await publish(2);
    await acknowledge((await page()).body.cursor);
    expect(await position(await tenant.user('viewer'))).toMatchObject({ acknowledgedEventId: null, pendingCount: 2 });
    const admin = await tenant.key(['admin']);
    await success(world.service.api.POST('/v1/sandbox/enable', { headers: admin }));
    expect(await position()).toMatchObject({ acknowledgedEventId: null, pendingCount: 0 });
    await success(world.service.api.POST('/v1/sandbox/disable', { headers: admin }));
    expect(await position()).toMatchObject({ acknowledgedEventId: expect.any(String), pendingCount: 0 });
  });

  it('is the highest of cursors that are presented at once', async () => {
    await publish(24);
    const cursors: string[] = [];
    for (let limit = 1; limit <= 12; limit++) cursors.push((await page({ limit })).body.cursor ?? '');
    const order = cursors.map((_, n) => (n * 5) % 12);
    await Promise.all(
      order.map((n) => (n % 2 === 0 ? page({ cursor: cursors[n] ?? '' }) : acknowledge(cursors[n] ?? ''))),
    );
    expect(await position()).toMatchObject({ pendingCount: 12 });
  });
});

describe('acknowledging without reading on', () => {
  it('lets the next run begin after it', async () => {
    await publish(5);
    const first = await page({ limit: 2 });
    const answer = await acknowledge(first.body.cursor);
    expect([answer.status, answer.text, answer.headers.get('x-environment')]).toEqual([204, '', 'live']);
    expect(idsOf(await page())).toEqual(idsOf(await page({ limit: 200, cursor: first.body.cursor ?? '' })));
    expect(await position()).toMatchObject({ acknowledgedEventId: first.body.events[1]?.eventId, pendingCount: 3 });
  });

  it('can be repeated, and a late one has no effect; only acknowledgements that moved the position are logged', async () => {
    await publish(3);
    const [one, two] = [await page({ limit: 1 }), await page({ limit: 2 })];
    for (const cursor of [one.body.cursor, one.body.cursor, two.body.cursor, one.body.cursor])
      expect((await acknowledge(cursor)).status).toBe(204);
    expect(await position()).toMatchObject({ acknowledgedEventId: two.body.events[1]?.eventId, pendingCount: 1 });
    const recorded = await acknowledged();
    expect(recorded.map(({ id }) => id.split(':')[0])).toEqual(['client', 'client']);
    expect(
      recorded.map(({ changes }, n) => changes.includes([one, two][n]?.body.events.at(-1)?.eventId ?? '-')),
    ).toEqual([true, true]);
  });

  it('works for a later token of the same client, and for a person', async () => {
    await publish(2);
    const person = await tenant.user('analyst');
    const { cursor } = (await page({ limit: 1 }, person)).body;
    expect((await acknowledge(cursor, person)).status).toBe(204);
    expect(await position(person)).toMatchObject({ pendingCount: 1 });
    expect(await position()).toMatchObject({ pendingCount: 2 });
  });

  it.each([
    ['damaged', (cursor: string) => `x${cursor.slice(1)}`],
    ['no cursor at all', () => 'tomorrow'],
    ['the word null', () => 'null'],
  ])('refuses one that is %s, and moves nothing', async (_what, change) => {
    await publish(2);
    const answer = await acknowledge(change((await page({ limit: 1 })).body.cursor ?? ''));
    expect([answer.status, answer.body.code]).toEqual([400, 'invalid_cursor']);
    expect(await position()).toMatchObject({ acknowledgedEventId: null, pendingCount: 2 });
  });

  it('refuses the cursor of another consumer, of another tenant, and of the other environment', async () => {
    await publish(2);
    await world.publish(recoveryEvents(1), 'live', world.service.other);
    const admin = await tenant.key(['admin']);
    await success(world.service.api.POST('/v1/sandbox/enable', { headers: admin }));
    await world.publish(recoveryEvents(1), 'sandbox', tenant);
    const ofSandbox = (await page()).body.cursor;
    await success(world.service.api.POST('/v1/sandbox/disable', { headers: admin }));
    const foreign = [
      (await page({}, await world.newClient(tenant))).body.cursor,
      (await page({}, await world.service.other.client(['read']))).body.cursor,
      ofSandbox,
    ];
    for (const cursor of foreign) {
      const answer = await acknowledge(cursor);
      expect([answer.status, answer.body.code]).toEqual([400, 'invalid_cursor']);
      // A consumer learns more only about its own cursor of the other environment.
      expect(
        answer.body.detail?.startsWith('The cursor is of the sandbox feed, and this call reads the live feed.') ??
          false,
      ).toBe(cursor === ofSandbox);
    }
    expect(await position()).toMatchObject({ acknowledgedEventId: null, pendingCount: 2 });
  });

  it('refuses a cursor whose position no longer exists, and accepts one that is read anew', async () => {
    const admin = await tenant.key(['admin']);
    await success(world.service.api.POST('/v1/sandbox/enable', { headers: admin }));
    await world.publish(recoveryEvents(2), 'sandbox', tenant);
    const { cursor } = (await page()).body;
    await success(world.service.api.DELETE('/v1/sandbox/data', { headers: admin }));
    await world.publish(recoveryEvents(3), 'sandbox', tenant);
    const answer = await acknowledge(cursor);
    expect([answer.status, answer.body.code, answer.body.detail]).toEqual([
      400,
      'cursor_expired',
      'Call again without a cursor. Reading goes on after the last event that you acknowledged and that is still kept.',
    ]);
    expect(await position()).toMatchObject({ acknowledgedEventId: null, pendingCount: 3 });
    expect((await acknowledge((await page({ limit: 2 })).body.cursor)).status).toBe(204);
    expect(await position()).toMatchObject({ pendingCount: 1 });
  });

  it('requires a cursor, and a token rather than a key', async () => {
    const missing = await world.service.request('POST', `${PATH}/ack`, { as: client, body: {} });
    expect([missing.status, missing.body.code, missing.body.errors?.[0]?.pointer]).toEqual([
      422,
      'validation_failed',
      '/cursor',
    ]);
    const answer = await refusal(
      world.service.api.POST('/api/v1/funds-recovery/events/ack', {
        headers: await tenant.key(['read']),
        body: { cursor: 'x' },
      }),
    );
    expect([answer.status, answer.body.code]).toEqual([401, 'authentication_required']);
  });
});
