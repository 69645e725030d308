/** Tests of `events.follow()` against a running service: it resumes, acknowledges, and restarts after a reset. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { BadRequestError, type ComplianceOnboarding, type Follow, type FundsRecoveryEvent } from '../src/index.ts';
import { connect, live } from './support/live.ts';

let owner: ComplianceOnboarding;
/** Consumer of the sandbox feed, which has acknowledged nothing before the first test. */
let consumer: ComplianceOnboarding;
const keys: string[] = [];

beforeAll(async () => {
  const session = await connect({}).auth.login({ email: live.email, password: live.password });
  owner = connect({ accessToken: session.accessToken });
  await owner.sandbox.enable();
  consumer = await newConsumer();
});

afterAll(async () => {
  for (const prefix of keys) await owner.settings.apiKeys.revoke(prefix);
  await owner.sandbox.disable();
});

async function newConsumer(): Promise<ComplianceOnboarding> {
  const { apiKey, secret } = await owner.settings.apiKeys.create({
    name: 'Follower',
    environment: 'test',
    scopes: ['read'],
  });
  keys.push(apiKey.prefix);
  return connect({ apiKey: secret });
}

/** Starts a new recovery, advances it by the given number of events in all, and returns its id. */
async function recover(steps: number): Promise<string> {
  const { effects } = await owner.sandbox.simulations.create({ type: 'funds_recovery_event' });
  const id = effects[0]!.resource.id!;
  for (let step = 1; step < steps; step++)
    await owner.sandbox.simulations.create({ type: 'funds_recovery_event', target: { type: 'funds_recovery', id } });
  return id;
}

async function take(
  feed: Follow<FundsRecoveryEvent>,
  enough: (events: readonly FundsRecoveryEvent[]) => boolean,
): Promise<FundsRecoveryEvent[]> {
  const events: FundsRecoveryEvent[] = [];
  for await (const event of feed) {
    events.push(event);
    if (enough(events)) break;
  }
  return events;
}

it('follows events, stops within a page, continues in another process, and loses nothing', async () => {
  const recoveries = [await recover(4), await recover(3)];
  const all: FundsRecoveryEvent[] = [];
  for await (const event of (await newConsumer()).fundsRecovery.events.list()) all.push(event);
  const first = consumer.fundsRecovery.events.follow({ limit: 3 });
  const before = await take(first, (events) => events.length === 5);
  const later = [await recover(2), await recover(1)];
  const second = consumer.fundsRecovery.events.follow({
    limit: 3,
    cursor: first.cursor,
    maxInterval: 100,
    minInterval: 100,
  });
  const after = await take(second, (events) =>
    later.every((id) => events.some(({ fundsRecoveryId }) => fundsRecoveryId === id)),
  );
  expect(before.map(({ eventId }) => eventId)).toEqual(all.slice(0, 5).map(({ eventId }) => eventId));
  // The loop stopped in the middle of a page, so this whole page is delivered again.
  expect(after.slice(0, 2).map(({ eventId }) => eventId)).toEqual(before.slice(3).map(({ eventId }) => eventId));
  const seen = [...new Map([...before, ...after].map((event) => [event.eventId, event])).values()];
  expect(seen.slice(0, all.length).map(({ eventId }) => eventId)).toEqual(all.map(({ eventId }) => eventId));
  const statuses = recoveries.map((id) =>
    seen.filter(({ fundsRecoveryId }) => fundsRecoveryId === id).map(({ status }) => status),
  );
  expect(statuses).toEqual([
    ['CREATED', 'TRACKED', 'AWAITING_ANALYSIS', 'ANALYSED'],
    ['CREATED', 'TRACKED', 'AWAITING_ANALYSIS'],
  ]);
});

it('acknowledges at the end of the feed without waiting for the next read', async () => {
  const reader = await newConsumer();
  const stopping = new AbortController();
  const feed = reader.fundsRecovery.events.follow({ signal: stopping.signal });
  const following = (async () => {
    for await (const _ of feed);
  })();
  await expect.poll(async () => (await reader.fundsRecovery.events.getPosition()).pendingCount).toBe(0);
  stopping.abort();
  await following;
  expect(await reader.fundsRecovery.events.list()).toMatchObject({ items: [], cursor: feed.cursor });
});

it('restarts from the beginning if a reset of the sandbox has made its cursor invalid', async () => {
  const before = consumer.fundsRecovery.events.follow({ maxInterval: 100, minInterval: 100 });
  const id = await recover(1);
  await take(before, (events) => events.some(({ fundsRecoveryId }) => fundsRecoveryId === id));
  const { cursor } = await consumer.fundsRecovery.events.list();
  await owner.sandbox.deleteData();
  await expect(consumer.fundsRecovery.events.list({ cursor: cursor! })).rejects.toBeInstanceOf(BadRequestError);
  const next = await recover(1);
  const events = await take(
    consumer.fundsRecovery.events.follow({ cursor, maxInterval: 100, minInterval: 100 }),
    () => true,
  );
  expect(events.map(({ fundsRecoveryId }) => fundsRecoveryId)).toEqual([next]);
});
