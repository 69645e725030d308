import { afterAll, beforeAll, expect, it } from 'vitest';
import { Registry } from 'prom-client';
import { FoldedDirectory } from '../../../../test/support/folded-directory.ts';
import { createTestDatabase, type TestDatabase } from '../../../../test/support/postgres.ts';
import { randomOf } from '../../../../test/support/random.ts';
import { silent } from '../../../../test/support/silent.ts';
import type { Database, Transaction } from '../../../database/index.ts';
import type { Command, JournalEntry } from '../../../directory-simulator/core/command.ts';
import { fold } from '../../../directory-simulator/core/fold.ts';
import { historyOf, type HistoryEvent } from '../../../directory-simulator/core/history.ts';
import { sandboxIspb } from '../../../directory-simulator/core/ids.ts';
import { scenarios } from '../../../directory-simulator/scenarios/index.ts';
import { DirectoryError } from '../../../providers/directory/index.ts';
import { FeedCursors } from '../feed-cursor.ts';
import { readFeed } from '../read-feed.ts';
import { Alarm } from './alarm.ts';
import type { Ingesting } from './context.ts';
import { standardLimits } from './limits.ts';
import type { Participant } from './participant.ts';
import { round } from './round.ts';
import { rankOf, type Status } from './status.ts';

const SEED = 20261121;
/** Courses of up to four recoveries each, every one with another interleaving. */
const COURSES = process.env['SOAK'] === 'true' ? 10_000 : 24;
const AT_ONCE = 4;
const minute = 60_000;
const begin = Date.parse('2026-11-21T12:00:00.000Z');

let test: TestDatabase;
beforeAll(async () => {
  test = await createTestDatabase({ poolSize: 10 });
});
afterAll(() => test.close());

class Crash extends Error {}

/** A database whose writing transactions now and then end before their COMMIT, or are not heard of after it. */
function crashing(database: Database, random: () => number): Database {
  return {
    ...database,
    transaction: async <T>(options: { readonly tenantId: string; readonly readOnly?: boolean }, work: (tx: Transaction) => Promise<T>): Promise<T> => {
      const fate = options.readOnly === true ? 1 : random();
      const result = await database.transaction(options, async (tx) => {
        const done = await work(tx);
        if (fate < 0.05) throw new Crash('before COMMIT');
        return done;
      });
      if (fate > 0.95 && options.readOnly !== true) throw new Crash('after COMMIT');
      return result;
    },
  };
}

const pick = <T>(items: readonly T[], random: () => number): T => items[Math.floor(random() * items.length)] as T;

function shuffled<T>(items: readonly T[], random: () => number): T[] {
  return items.map((item) => [random(), item] as const).toSorted(([one], [other]) => one - other).map(([, item]) => item);
}

function journalOf(random: () => number): JournalEntry[] {
  const commands: Command[] = Array.from({ length: 1 + Math.floor(random() * 4) }, () => {
    const scenario = pick(scenarios, random);
    return scenario.open({ runId: `run ${random()}`, role: pick(scenario.roles, random), amount: '812.40', pace: random() < 0.2 ? 'realtime' : 'stepped', onTimeout: null, situation: 'SCAM' });
  });
  if (random() < 0.4) commands.push({ type: random() < 0.5 ? 'DROP_NOTIFICATIONS' : 'DELAY_NOTIFICATIONS', count: 1 + Math.floor(random() * 3) });
  return commands.map((command, index) => ({ seq: index + 1, at: new Date(begin + Math.floor(random() * 6 * 60) * minute).toISOString(), command }));
}

interface Published {
  readonly seq: number;
  readonly dedupe_key: string;
  readonly status: Status;
  readonly funds_recovery_id: string;
}

it(`publishes what the directory's history holds, densely and each once, in ${COURSES} interleavings of pages, duplicates, crashes and rollbacks (seed ${SEED})`, async () => {
  let [next, events] = [0, 0];
  const worker = async (): Promise<void> => {
    while (next < COURSES) {
      const told = await follow(SEED + next++);
      events += told;
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  console.log(`${events} events in ${COURSES} interleavings, seed ${SEED}`);
  expect(events).toBeGreaterThan(COURSES * 5);
}, 120_000 + COURSES * 3_000);

async function follow(seed: number): Promise<number> {
  const random = randomOf(seed);
  const tenantId = await test.tenant();
  const ispb = sandboxIspb(tenantId);
  const journal = journalOf(random);
  let now = begin;
  const state = () => fold(tenantId, journal, now);
  const directory = new FoldedDirectory(state, {
    pageSize: 1 + Math.floor(random() * 5),
    disturb: (page) => {
      const kind = random();
      if (kind < 0.03) throw new DirectoryError('Transport', 'No answer came');
      if (kind < 0.06) throw new DirectoryError('Unreadable', 'The answer is cut');
      return kind < 0.2 ? [...page, ...page] : kind < 0.4 ? shuffled(page, random) : page;
    },
  });
  const participant: Participant = { env: 'sandbox', ispb, tenantId, directory, source: 'DICT_SIMULATOR', members: new Map([[ispb, tenantId]]), includeIndirect: false };
  const ingesting = (database: Database): Ingesting => ({
    database, limits: standardLimits, alarm: new Alarm(new Registry(), silent), timeOf: async () => new Date(now), signal: new AbortController().signal,
  });
  const reader = new Reader(tenantId);
  const visits: number[] = [];

  const attempt = async (database: Database, thorough: boolean): Promise<boolean> => {
    try {
      return await round(ingesting(database), participant, thorough);
    } catch (error) {
      if (error instanceof Crash || error instanceof DirectoryError) return false;
      throw error;
    }
  };
  const end = begin + (10 + random() * 10) * 24 * 60 * minute;
  while (now < end) {
    now += Math.floor(random() ** 4 * 3 * 24 * 60) * minute + Math.floor(random() * minute);
    // Two that follow the same participant at once, as when a leader is cut off and does not know it yet.
    const looks = random() < 0.2 ? [random() < 0.7, true] : [random() < 0.7];
    const outcomes = await Promise.all(looks.map((thorough, index) => attempt(index === 0 ? crashing(test.database, random) : test.database, thorough)));
    // Only a thorough one looks at everything.
    if (outcomes.some((isWhole, index) => isWhole && looks[index])) visits.push(now);
    if (random() < 0.5) await reader.read(1 + Math.floor(random() * 9), random);
  }
  for (const rest of [11, 11, 61, 61]) {
    now += rest * minute;
    let done = false;
    while (!done) done = await attempt(test.database, true);
    visits.push(now);
  }
  await reader.read(200, () => 1);

  const feed = await test.sql<Published & Record<string, unknown>>(`SELECT seq, dedupe_key, status, funds_recovery_id FROM fr_event WHERE tenant_id = $1 ORDER BY seq`, [tenantId]);
  const told = `seed ${seed}`;
  const history = historyOf(state());
  const keys = new Set(feed.map(({ dedupe_key }) => dedupe_key));
  expect([...keys].filter((key) => !history.some(({ dedupeKey }) => dedupeKey === key)), `${told}: never happened`).toEqual([]);
  expect(history.filter((event) => !keys.has(event.dedupeKey) && wasShown(event, visits)).map(({ dedupeKey }) => dedupeKey), `${told}: missed`).toEqual([]);
  expect(keys.size, `${told}: told twice`).toBe(feed.length);
  expect(feed.map(({ seq }) => Number(seq)), `${told}: a hole`).toEqual(feed.map((_, index) => index + 1));
  for (const events of Map.groupBy(feed, (event) => event.funds_recovery_id).values()) {
    const ranks = events.map(({ status }) => rankOf(status));
    expect(ranks, `${told}: a status went down`).toEqual(ranks.toSorted((one, other) => one - other));
  }
  expect(reader.seen, `${told}: a reader missed an event or saw it twice`).toEqual(feed.map(({ seq }) => Number(seq)));
  return feed.length;
}

/** Whether a visit fell into the time in which the directory showed it; a held end needs a second look ten minutes later. */
function wasShown({ knownFrom, goneAt }: HistoryEvent, visits: readonly number[]): boolean {
  if (goneAt === null) return true;
  return visits.some((at) => at >= Date.parse(knownFrom) && at < Date.parse(goneAt));
}

/** Follows cursors, goes back to an older one now and then, and sees each place once as long as it only counts what is new. */
class Reader {
  readonly seen: number[] = [];
  readonly #cursors = new FeedCursors(Buffer.alloc(32, 1));
  readonly #consumer;
  #cursor: string | undefined;
  #acknowledged = 0;

  constructor(tenantId: string) {
    this.#consumer = { tenantId, environment: 'sandbox', id: 'client:reader' } as const;
  }

  async read(limit: number, random: () => number): Promise<void> {
    for (;;) {
      const before = this.#cursor;
      const page = await test.database.transaction({ tenantId: this.#consumer.tenantId }, (tx) =>
        readFeed(tx, this.#cursors, { consumer: this.#consumer, cursor: before, limit, now: new Date(), businessTime: new Date() }));
      await this.#checkAcknowledged();
      // A client that dies here asks again for the same page.
      if (random() < 0.2) continue;
      this.seen.push(...page.events.map(({ seq }) => seq));
      this.#cursor = page.cursor ?? undefined;
      if (!page.hasMore) return;
    }
  }

  async #checkAcknowledged(): Promise<void> {
    const [row] = await test.sql<{ acked_seq: string }>(`SELECT acked_seq FROM fr_consumer WHERE tenant_id = $1`, [this.#consumer.tenantId]);
    const acknowledged = Number(row?.acked_seq ?? 0);
    expect(acknowledged).toBeGreaterThanOrEqual(this.#acknowledged);
    expect(acknowledged).toBeLessThanOrEqual(this.seen.at(-1) ?? 0);
    this.#acknowledged = acknowledged;
  }
}
