import { describe, expect, it } from 'vitest';
import { listener } from './support/listener.ts';
import { json, type Handler } from './support/server.ts';
import { page, done, startFollowWorld } from './follow-world.ts';

const { server, following, asked } = await startFollowWorld();
describe('an item that is no event', () => {
  const mixed: Handler = (response) =>
    json(
      response,
      200,
      { events: [{ eventId: 'a' }, null, { eventType: 'CANARY' }, { eventId: 'b' }], cursor: 'c1', hasMore: false },
      { 'x-poll-interval': '60' },
    );

  it('is delivered as it came, with a warning that shows nothing of it, and the cursor moves', async () => {
    server.replies(mixed, done, page([], 'c1'));
    const events: unknown[] = [];
    const warnings: unknown[] = [];
    const stopping = new AbortController();
    const client = server.client({
      accessToken: 'token',
      ...listener((event, message, level) => level === 'warn' && warnings.push([message, event.type])),
    });
    for await (const event of client.fundsRecovery.events.follow({
      signal: stopping.signal,
      clock: { sleep: async () => stopping.abort(), random: () => 0 },
    }))
      events.push(event);
    expect(events).toEqual([{ eventId: 'a' }, null, { eventType: 'CANARY' }, { eventId: 'b' }]);
    expect(asked()).toEqual(['list', 'ack c1']);
    expect(warnings).toEqual([
      ['GET /api/v1/funds-recovery/events an item is no object', 'poison'],
      ['GET /api/v1/funds-recovery/events an item has no eventId', 'poison'],
    ]);
  });

  it('is passed to an optional handler, and omitted from the loop', async () => {
    server.replies(mixed, done);
    const poison: unknown[] = [];
    expect(
      await following(1, {
        onPoison: async (item, reason) => {
          poison.push([item, reason]);
        },
      }).collect(),
    ).toEqual(['a', 'b']);
    expect(poison).toEqual([
      [null, 'is no object'],
      [{ eventType: 'CANARY' }, 'has no eventId'],
    ]);
    expect(asked()).toEqual(['list', 'ack c1']);
  });

  it('is acknowledged like others once it was handled, though nothing else was on its page', async () => {
    server.replies((response) => json(response, 200, { events: [7], cursor: 'c1', hasMore: false }), done);
    expect(await following(1, { onPoison: () => undefined }).collect()).toEqual([]);
    expect(asked()).toEqual(['list', 'ack c1']);
  });

  it('is not acknowledged if it could not be handled', async () => {
    server.replies(mixed);
    await expect(
      following(1, {
        onPoison: () => {
          throw new Error('disk full');
        },
      }).collect(),
    ).rejects.toThrow('disk full');
    expect(asked()).toEqual(['list']);
  });
});
