/** Test of consumers of the feed in each language, through kills and rotated keys: no event is lost. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventId, type NewEvent } from '../../server/modules/recovery-feed/publish.ts';
import { randomOf } from '../support/random.ts';
import { countDoubles, type Life, walk } from './support/deliveries.ts';
import { FeedConsumer } from './support/feed-consumer.ts';
import { FeedSite } from './support/feed-site.ts';
import { figure, SEED, SOAK } from './support/figures.ts';

const { EVENTS, ROUNDS } = SOAK ? { EVENTS: 100_000, ROUNDS: 12 } : { EVENTS: 2_000, ROUNDS: 1 };
type Random = () => number;
const mishaps = ['kill', 'rotate', 'sandbox', 'older position', 'purge', 'restore'] as const;
const SHARE = Math.ceil(EVENTS / (ROUNDS * mishaps.length));

/**
 * Random generators of the plan, of the publications and of each consumer: they run at the same time, and each draws
 * the same values in every run of a seed.
 */
const [planned, drawn, ...own] = [SEED, SEED + 1, SEED + 2, SEED + 3].map(randomOf) as [Random, Random, Random, Random];
const upTo = (most: number, random: Random): number => 1 + Math.floor(random() * most);
const isHeads = (random: Random): boolean => random() < 0.5;
const oneOf = <T>(all: readonly T[], random: Random): T => all[Math.floor(random() * all.length)]!;
const shuffled = <T>(all: readonly T[], random: Random): T[] =>
  all
    .map((one) => [random(), one] as const)
    .sort(([a], [b]) => a - b)
    .map(([, one]) => one);

let site: FeedSite;
let consumers: readonly FeedConsumer[] = [];
beforeAll(async () => {
  site = await FeedSite.open();
  consumers = await Promise.all([
    FeedConsumer.create(site, 'TypeScript', own[0]),
    FeedConsumer.create(site, 'Python', own[1]),
  ]);
});
afterAll(async () => {
  await Promise.all(consumers.map((consumer) => consumer.close()));
  await site.close();
});

/** Returns recoveries of a few events each, `count` events in all. */
function facts(count: number): NewEvent[][] {
  const recoveries: NewEvent[][] = [];
  for (let left = count; left > 0; left -= recoveries.at(-1)!.length) {
    const fundsRecoveryId = randomUUID();
    recoveries.push(
      Array.from({ length: Math.min(left, upTo(8, drawn)) }, (_, n) => ({
        fundsRecoveryId,
        eventType: 'FUNDS_RECOVERY_TRACKED',
        status: 'TRACKED',
        dedupeKey: `${fundsRecoveryId}:${n}`,
        occurredAt: new Date(Date.UTC(2026, 10, 20) + n * 1000).toISOString(),
        rawPayload: { N: String(n) },
      })),
    );
  }
  return recoveries;
}

const published: NewEvent[] = [];

/** Publishes recoveries some at a time, as the directory reports them. */
async function publish(recoveries: readonly NewEvent[][]): Promise<void> {
  for (let start = 0, size = upTo(40, drawn); start < recoveries.length; start += size, size = upTo(40, drawn)) {
    await site.publish('live', recoveries.slice(start, start + size).flat());
  }
}

async function publishNew(): Promise<NewEvent[][]> {
  const recoveries = facts(SHARE);
  published.push(...recoveries.flat());
  await publish(recoveries);
  return recoveries;
}

const each = (act: (consumer: FeedConsumer) => Promise<unknown>): Promise<unknown> => Promise.all(consumers.map(act));

/** Kills a program at some moment while it starts, reads or waits. */
async function killOnce(consumer: FeedConsumer): Promise<void> {
  const { random } = consumer;
  const [target, delay, isAtWork] = [
    consumer.handled + Math.floor((random() * SHARE) / 2),
    random() * 400,
    random() < 0.7,
  ];
  if (isAtWork) {
    await consumer.reach(target);
    await consumer.killAtWork();
  } else {
    await sleep(delay);
    await consumer.kill();
  }
  consumer.backUp();
  await consumer.start('kill');
}

const happen: Readonly<Record<(typeof mishaps)[number], () => Promise<unknown>>> = {
  'kill': () => Promise.all([publishNew(), each(killOnce)]),

  'rotate': () =>
    Promise.all([
      publishNew(),
      each(async (consumer) => {
        const isAtOnce = isHeads(consumer.random);
        consumer.key = await site.rotate(consumer.key, isAtOnce ? 0 : 24);
        if (isAtOnce) expect(await consumer.end()).toBe('OAuthError');
        else await killOnce(consumer);
        await consumer.start('rotated key');
      }),
    ]),

  'sandbox': async () => {
    await each((consumer) => consumer.catchUp());
    await site.publish('sandbox', facts(upTo(50, planned)).flat());
    await site.asOwner('POST', '/v1/sandbox/enable');
    await each(async (consumer) => expect(await consumer.end()).toBe('EnvironmentChangedError'));
    const impatient = oneOf(consumers, planned);
    await impatient.start('sandbox');
    await publishNew();
    expect(await impatient.end()).toBe(impatient.language === 'Python' ? 'InvalidCursorError' : 'BadRequestError');
    await site.asOwner('POST', '/v1/sandbox/disable');
    await each((consumer) => consumer.start('sandbox'));
  },

  'older position': () =>
    Promise.all([
      publishNew(),
      each(async (consumer) => {
        await killOnce(consumer);
        await consumer.kill();
        const positions = await Promise.all(consumer.snapshots.map((snapshot) => consumer.positionOf(snapshot)));
        const usable = consumer.snapshots.filter((_, index) => positions[index] !== null);
        if (usable.length > 0) consumer.restore(oneOf(usable, consumer.random), 'database');
        await consumer.start(usable.length > 0 ? 'older position' : 'kill');
      }),
    ]),

  'purge': async () => {
    await each((consumer) => consumer.catchUp());
    const stale = oneOf(consumers, planned);
    stale.backUp();
    const snapshot = stale.snapshots.at(-1)!;
    await publishNew();
    await each((consumer) => consumer.catchUp());
    await stale.kill();
    await site.purge(consumers.map(({ clientId }) => clientId));
    expect(await stale.positionOf(snapshot)).toBeNull();
    stale.restore(snapshot, 'cursor');
    for (const consumer of consumers) consumer.snapshots = [];
    await stale.start('purge');
  },

  'restore': async () => {
    await each((consumer) => consumer.catchUp());
    const [rotated, other] = shuffled(consumers, planned) as [FeedConsumer, FeedConsumer];
    const keyOfBackup = rotated.key;
    other.backUp();
    const backup = await site.backUp();
    rotated.key = await site.rotate(keyOfBackup, 24);
    const [since] = await Promise.all([publishNew(), killOnce(rotated)]);
    const isRestoredToo = isHeads(planned);
    if (isRestoredToo) await other.kill();
    await site.restore(backup, () => each((consumer) => consumer.expectAnotherPlace()));
    if (isRestoredToo) {
      other.restore(oneOf(other.snapshots, other.random), 'database');
      await other.becomeNewClient();
      await other.start('new client');
    }
    // The directory reports again, in another order, what the database has lost.
    await Promise.all([
      publish(shuffled(since, planned)),
      (async () => {
        expect(await rotated.end()).toBe('OAuthError');
        rotated.key = await site.rotate(keyOfBackup, 0);
        await rotated.start('kill');
      })(),
    ]);
  },
};

describe(`A consumer in each language (seed ${SEED})`, () => {
  it(`loses none of ${EVENTS} events to kills, rotated keys, the sandbox, purges and restores, and gets twice only what the guide says`, async () => {
    await each((consumer) => consumer.start('first start'));
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const mishap of [
        'kill',
        ...shuffled(
          mishaps.filter((one) => one !== 'kill'),
          planned,
        ),
      ] as const) {
        try {
          await happen[mishap]();
        } catch (error) {
          throw new Error(`SEED=${SEED}, round ${round}, ${mishap}`, { cause: error });
        }
      }
    }
    await each((consumer) => consumer.catchUp());
    await each((consumer) => consumer.kill());

    const expected = new Set(published.map(({ dedupeKey }) => eventId(site.tenantId, 'live', dedupeKey)));
    const positions = await site.positions();
    for (const consumer of consumers) {
      const { doubles, afterKills } = countDoubles(consumer.lives, positions);
      const effects = consumer.effects();
      expect({
        lost: [...expected].filter((id) => !effects.has(id)),
        unknown: [...effects].filter((id) => !expected.has(id)),
      }).toEqual({ lost: [], unknown: [] });
      figure(
        `feed: ${consumer.language}, ${expected.size} events to ${consumer.lives.length} runs of its program, of ` +
          `a service on ${positions.length} databases: 0 lost; ${doubles} doubles after restores and kills, ` +
          `${afterKills} of them within the page of a kill, 0 otherwise (seed ${SEED})`,
      );
    }
    expect(expected.size).toBeGreaterThanOrEqual(EVENTS);
  });
});

describe('The check of what a consumer received', () => {
  const positions = [
    new Map([
      ['a', 1],
      ['b', 2],
      ['c', 3],
    ]),
    new Map([
      ['a', 1],
      ['d', 2],
      ['b', 3],
    ]),
  ];
  const from = (...all: readonly (readonly [number, number])[]) => all.map(([epoch, seq]) => ({ epoch, seq }));

  it('accepts every event after the position of a life, and those after the position to which a restore led it', () => {
    expect(walk({ from: from([0, 1]), events: ['b', 'c'] }, positions)).toEqual({ epoch: 0, seq: 3 });
    expect(walk({ from: from([0, 0], [1, 1]), events: ['a', 'b', 'd', 'b'] }, positions)).toEqual({ epoch: 1, seq: 3 });
  });

  it.each([
    ['a lost event', from([0, 0]), ['a', 'c']],
    ['a disorder', from([0, 0]), ['b', 'a']],
    ['a double', from([0, 0]), ['a', 'a']],
    ['a position that it was not given', from([0, 0], [1, 1]), ['a', 'b', 'b']],
    ['an unknown event', from([0, 0]), ['x']],
  ])('finds %s', (_what, position, events) => {
    expect(() => walk({ from: position, events }, positions)).toThrow('of a life that went on after');
  });

  const second = (cause: Life['cause'], after: number, events: readonly string[]): Life[] => [
    {
      cause: 'first start',
      from: from([0, 0]),
      pageSize: 2,
      events: ['a', 'b', 'c'],
    },
    {
      cause,
      from: from([0, after]),
      pageSize: 2,
      events,
    },
  ];

  it('accepts the repetition of the page that a kill interrupted', () => {
    expect(countDoubles(second('kill', 1, ['b', 'c']), positions)).toEqual({ doubles: 2, afterKills: 2 });
  });

  it.each([
    ['more doubles than the page that a kill fell in', second('kill', 0, ['a'])],
    ['a double after a new key', second('rotated key', 2, ['c'])],
    ['events that were left out between two runs', second('kill', 4, [])],
  ])('finds %s', (_what, lives) => {
    expect(() => countDoubles(lives, positions)).toThrow('at most may come again');
  });
});
