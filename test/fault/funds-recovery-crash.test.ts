/** Crash test of following the directory: no event is lost or duplicated when processes are killed. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type HistoryEvent, scenarios } from '../../server/simulators/directory/index.ts';
import { randomOf } from '../support/random.ts';
import { CrashSite, type FeedEvent } from './crash-site.ts';

const SEED = Number(process.env['SEED'] ?? 20261121);
const KILLS = process.env['SOAK'] === 'true' ? 240 : 4;
/** Runs started before each kill; following them takes long enough for a kill in the middle. */
const RUNS = 12;
/** Courses whose whole effect can still be read later, although each takes only a moment. */
const courses = scenarios.filter(
  ({ roles, onTimeout, expected }) => roles.includes('SENT') && onTimeout === 'NONE' && expected('SENT').length > 0,
);
const ranks = ['CREATED', 'TRACKED', 'AWAITING_ANALYSIS', 'ANALYSED', 'REFUNDING', 'COMPLETED', 'CANCELLED'];

let site: CrashSite;
beforeAll(async () => {
  site = await CrashSite.open('funds-recovery-crash');
});
afterAll(() => site.close());

it(
  'follows the directory without loss, duplicates or disorder although service, follower and database are killed ' +
    `${KILLS} times while it polls (seed ${SEED})`,
  async () => {
    const random = randomOf(SEED);
    const [begun, met] = [performance.now(), { service: 0, follower: 0, database: 0 }];
    let [expected, kills, longest] = [0, 0, 800];
    const kill = async (what: keyof typeof met, how: () => Promise<void>): Promise<void> => {
      await sleep(random() * longest);
      await how();
      kills += 1;
      const isMet = (await site.feed()).length < expected;
      if (isMet) met[what] += 1;
      // How long following takes depends on the machine, so the delay is adjusted until one
      // kill in four comes too late.
      longest = isMet ? Math.min(longest * 1.08, 10_000) : longest * 0.8;
      if (kills % 20 === 0) console.log(`${kills} kills after ${Math.round((performance.now() - begun) / 1000)} s`);
    };
    const startRuns = async (): Promise<void> => {
      expected += await site.startRuns(
        Array.from({ length: RUNS }, () => courses[Math.floor(random() * courses.length)]!),
      );
    };

    // A process polls as soon as it starts, so each kill hits it while polling.
    await site.killService();
    while (kills < KILLS / 2) {
      await startRuns();
      await site.startService(true);
      await kill('service', () => site.killService());
    }
    await site.startService(false);
    while (kills < KILLS) {
      await startRuns();
      await site.startFollower();
      if (kills % 2 === 0) await kill('follower', () => site.killFollower());
      else await kill('database', () => site.stopDatabase(kills % 4 === 1 ? 'SIGQUIT' : 'SIGKILL'));
      await site.killFollower();
    }
    await site.forgetLists();
    await site.startFollower();

    await expect
      .poll(async () => lost(await site.history(), await site.feed()), { timeout: 120_000, interval: 1000 })
      .toEqual([]);
    const [history, feed] = [await site.history(), await site.feed()];
    const happened = new Set(history.map(({ dedupeKey }) => dedupeKey));
    console.log(
      `${feed.length} events, ${KILLS} kills, of which ${met.service} met a service, ${met.follower} a follower ` +
        `and ${met.database} a database with work left; seed ${SEED}`,
    );
    expect(feed.filter(({ key }) => !happened.has(key))).toEqual([]);
    expect(new Set(feed.map(({ key }) => key)).size).toBe(feed.length);
    expect(feed.map(({ seq }) => seq)).toEqual(feed.map((_, index) => (feed[0]?.seq ?? 0) + index));
    expect([...Map.groupBy(feed, ({ recovery }) => recovery).values()].filter((events) => !isInOrder(events))).toEqual(
      [],
    );
    expect(feed.length).toBeGreaterThan(KILLS * RUNS);
  },
  180_000 + KILLS * 30_000,
);

function lost(history: readonly HistoryEvent[], feed: readonly FeedEvent[]): string[] {
  const told = new Set(feed.map(({ key }) => key));
  return history
    .filter(({ dedupeKey, goneAt }) => goneAt === null && !told.has(dedupeKey))
    .map(({ dedupeKey }) => dedupeKey);
}

function isInOrder(events: readonly FeedEvent[]): boolean {
  return events.every(
    ({ status }, index) => index === 0 || ranks.indexOf(status) >= ranks.indexOf(events[index - 1]?.status ?? ''),
  );
}
