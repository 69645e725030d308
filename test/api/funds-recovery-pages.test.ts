/** Tests of the pages of the feed: when they end, and what is delivered again. */
import { describe, expect, it } from 'vitest';
import { newApplication } from '../operations/application-records.ts';
import { recoveryEvents } from '../support/recovery-events.ts';
import type { Tenant } from '../support/service.ts';
import { idsOf, useFeed } from './funds-recovery-world.ts';

const world = await useFeed();

/** Walks the pages of a new client to the end of the feed and returns the number of events of each. */
async function walk(tenant: Tenant): Promise<number[]> {
  const as = await world.newClient(tenant);
  const sizes: number[] = [];
  let page = await world.page(as);
  for (;;) {
    sizes.push(page.body.events.length);
    if (!page.body.hasMore) return sizes;
    page = await world.page(as, { cursor: page.body.cursor ?? '' });
  }
}

describe('a feed whose events exactly fill its pages', () => {
  it('says that there is more only if there is', async () => {
    const tenant = await world.service.tenant();
    for (const [more, pages] of [
      [100, [100]],
      [1, [100, 1]],
      [99, [100, 100]],
      [1, [100, 100, 1]],
    ] as const) {
      await world.publish(recoveryEvents(more), 'live', tenant);
      expect(await walk(tenant)).toEqual(pages);
    }
  });
});

describe('a client that dies while it processes a page', () => {
  it('gets the same page again, with the same events and the same cursor', async () => {
    const tenant = await world.service.tenant();
    await world.publish(recoveryEvents(5), 'live', tenant);
    const as = await world.newClient(tenant);
    const first = await world.page(as, { limit: 2 });
    expect((await world.page(as, { limit: 2 })).text).toBe(first.text);
    const second = await world.page(as, { limit: 2, cursor: first.body.cursor ?? '' });
    expect((await world.page(as, { limit: 2, cursor: first.body.cursor ?? '' })).text).toBe(second.text);
    expect((await world.page(as, { limit: 2 })).text).toBe(second.text);
  });
});

describe('large payloads', () => {
  it('end a page at one mebibyte, with more behind it', async () => {
    const tenant = await world.service.tenant();
    const large = recoveryEvents(4).map((event, n) => ({
      ...event,
      rawPayload: { N: String(n), Text: 'x'.repeat(n === 3 ? 1_200_000 : 400_000) },
    }));
    await world.publish(large, 'live', tenant);
    expect(await walk(tenant)).toEqual([2, 1, 1]);
  });
});

describe('an event whose payload was erased', () => {
  it('reads as null, and its other members as before', async () => {
    const tenant = await world.service.tenant();
    await world.publish(recoveryEvents(3), 'live', tenant);
    const as = await world.newClient(tenant);
    const before = await world.page(as);
    const erased = before.body.events[1];
    await world.service.database.sql('UPDATE fr_event SET raw_payload = NULL WHERE tenant_id = $1 AND event_id = $2', [
      tenant.id,
      erased?.eventId,
    ]);
    const after = await world.page(as);
    expect(after.body).toEqual({
      ...before.body,
      events: before.body.events.map((event) => (event === erased ? { ...event, rawPayload: null } : event)),
    });
  });
});

describe('an action of a tenant through this API', () => {
  it('publishes nothing in the feed', async () => {
    const tenant = await world.service.tenant();
    const as = await tenant.key(['admin']);
    expect((await world.service.api.POST('/v1/sandbox/enable', { headers: as })).response.status).toBe(200);
    const id = await newApplication(world.service, tenant);
    expect(
      (
        await world.service.api.POST('/v1/applications/{applicationId}/submit', {
          params: { path: { applicationId: id } },
          headers: await tenant.key(['write']),
        })
      ).response.status,
    ).toBe(202);
    const client = await tenant.client(['read']);
    expect((await world.page(client)).body).toEqual({ events: [], cursor: null, hasMore: false });
    expect((await world.service.api.POST('/v1/sandbox/disable', { headers: as })).response.status).toBe(200);
    expect((await world.page(client)).body).toEqual({ events: [], cursor: null, hasMore: false });
  });
});

describe('a cursor that is sent twice', () => {
  it('is refused, and moves nothing', async () => {
    const tenant = await world.service.tenant();
    await world.publish(recoveryEvents(2), 'live', tenant);
    const as = await world.newClient(tenant);
    const { cursor } = (await world.page(as, { limit: 1 })).body;
    const answer = await world.service.request(
      'GET',
      `/api/v1/funds-recovery/events?cursor=${cursor}&cursor=${cursor}`,
      { as },
    );
    expect([answer.status, answer.body.errors?.[0]]).toEqual([
      400,
      expect.objectContaining({ parameter: 'cursor', code: 'repeated' }),
    ]);
    expect(idsOf(await world.page(as))).toHaveLength(2);
  });
});
