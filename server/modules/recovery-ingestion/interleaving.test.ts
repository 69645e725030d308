/** Random test of ingestion against the directory: every event is published exactly once. */
import { Registry } from 'prom-client';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { randomJournal, shuffled } from '../../../test/support/courses.ts';
import { Crash, crashing } from '../../../test/support/crashing-database.ts';
import { FeedReader } from '../../../test/support/feed-reader.ts';
import { FoldedDirectory } from '../../../test/support/folded-directory.ts';
import { createTestDatabase, type TestDatabase } from '../../../test/support/postgres.ts';
import { randomOf } from '../../../test/support/random.ts';
import { silent } from '../../../test/support/silent.ts';
import type { Database } from '../../database/index.ts';
import { createTenant } from '../../identity/store.ts';
import { DirectoryError } from '../../providers/directory/index.ts';
import { fold } from '../../simulators/directory/core/fold.ts';
import { type HistoryEvent, historyOf } from '../../simulators/directory/core/history.ts';
import type { State } from '../../simulators/directory/core/model.ts';
import { sandboxIspb, uuidOf } from '../../simulators/directory/core/values.ts';
import { rankOf, standardStageLimits, type Status } from '../recoveries/recovery.ts';
import { IngestionAlarm } from './context.ts';
import type { Participant } from './participants.ts';
import { pollRound } from './round.ts';

/** Seed of the first interleaving. Each further interleaving has the next seed, and SEED repeats one alone. */
const SEED = Number(process.env['SEED'] ?? 20261121);
/** Number of runs with up to four recoveries each, every run with another interleaving. */
const COURSES = process.env['SOAK'] === 'true' ? 10_000 : 24;
const AT_ONCE = 4;
const minute = 60_000;
const begin = Date.parse('2026-11-21T12:00:00.000Z');

let test: TestDatabase;
beforeAll(async () => {
  test = await createTestDatabase({ poolSize: 12 });
});
afterAll(() => test.close());

it(
  `publishes every event of the directory's history exactly once and without gaps, in ${COURSES} interleavings of ` +
    `pages, duplicates, crashes and rollbacks (seed ${SEED})`,
  async () => {
    let [next, events] = [0, 0];
    const failures: string[] = [];
    const worker = async (): Promise<void> => {
      while (next < COURSES && failures.length < 10) {
        const seed = SEED + next++;
        await follow(seed).then(
          (count) => {
            events += count;
          },
          (error: Error) => failures.push(`seed ${seed}: ${error.message}`),
        );
        if (next % 1000 === 0) console.log(`${next} interleavings, ${events} events`);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, worker));
    console.log(
      `${events} events in ${next} interleavings, ${failures.length} with something lost, doubled or ` +
        `misordered, seed ${SEED}`,
    );
    expect(failures).toEqual([]);
    expect(events).toBeGreaterThan(COURSES * 5);
  },
  120_000 + COURSES * 1_000,
);

/**
 * Everything random in the run follows from the seed, except how two leaders and a reader affect each other, which
 * PostgreSQL decides.
 */
async function follow(seed: number): Promise<number> {
  const random = randomOf(seed);
  const tenantId = uuidOf('interleaving', String(seed));
  await test.database.platform({ tenantId }, (tx) =>
    createTenant(tx, {
      id: tenantId,
      slug: `t-${tenantId.slice(-12)}`,
      name: 'Test tenant',
      now: new Date(),
    }),
  );
  const directory = new Following(tenantId, random);
  const reader = new FeedReader(test.database, tenantId);
  const visits: number[] = [];

  const end = begin + (10 + random() * 10) * 24 * 60 * minute;
  while (directory.now < end) {
    directory.now += Math.floor(random() ** 4 * 3 * 24 * 60) * minute + Math.floor(random() * minute);
    // Two leaders follow the same participant at once, as when a leader is cut off and does not know it yet.
    const looks = random() < 0.2 ? [random() < 0.7, true] : [random() < 0.7];
    const rounds = looks.map((thorough, index) => {
      const own = randomOf(Math.floor(random() * 2 ** 32));
      return directory.round(index === 0 ? crashing(test.database, own) : test.database, thorough, own);
    });
    const reading =
      random() < 0.5 ? reader.read(1 + Math.floor(random() * 9), randomOf(Math.floor(random() * 2 ** 32))) : null;
    const [outcomes] = await Promise.all([Promise.all(rounds), reading]);
    // Only a thorough round reads everything.
    if (outcomes.some((isWhole, index) => isWhole && looks[index])) visits.push(directory.now);
  }
  for (const rest of [11, 11, 61, 61]) {
    directory.now += rest * minute;
    while (!(await directory.round(test.database, true, random)));
    visits.push(directory.now);
  }
  await reader.read(200, () => 1);
  return check(tenantId, directory.state(), { visits, seen: reader.seen });
}

/** One participant and its directory, at a time that the run sets. */
class Following {
  now = begin;
  readonly #tenantId: string;
  readonly #journal;
  readonly #pageSize: number;
  #folded: State | null = null;

  constructor(tenantId: string, random: () => number) {
    this.#tenantId = tenantId;
    this.#journal = randomJournal(begin, random);
    this.#pageSize = 1 + Math.floor(random() * 5);
  }

  state(): State {
    if (this.#folded?.now !== this.now) this.#folded = fold(this.#tenantId, this.#journal, this.now);
    return this.#folded;
  }

  /** Returns false if the round crashed, found no directory, or was overtaken. */
  async round(database: Database, thorough: boolean, random: () => number): Promise<boolean> {
    const ispb = sandboxIspb(this.#tenantId);
    const directory = new FoldedDirectory(() => this.state(), {
      pageSize: this.#pageSize,
      disturb: (page) => {
        const kind = random();
        if (kind < 0.03) throw new DirectoryError('Transport', 'No answer came');
        if (kind < 0.06) throw new DirectoryError('Unreadable', 'The answer is cut');
        if (kind < 0.2) return [...page, ...page];
        return kind < 0.4 ? shuffled(page, random) : page;
      },
    });
    const participant: Participant = {
      environment: 'sandbox',
      ispb,
      tenantId: this.#tenantId,
      directory,
      source: 'DICT_SIMULATOR',
      members: new Map([[ispb, this.#tenantId]]),
      includeIndirect: false,
    };
    const ingesting = {
      database,
      limits: standardStageLimits,
      alarm: new IngestionAlarm(new Registry(), silent),
      timeOf: async () => new Date(this.now),
      signal: new AbortController().signal,
    };
    try {
      return await pollRound(ingesting, participant, thorough);
    } catch (error) {
      if (error instanceof Crash || error instanceof DirectoryError) return false;
      throw error;
    }
  }
}

interface Published {
  readonly seq: number;
  readonly key: string;
  readonly status: Status;
  readonly recovery: string;
}

async function check(
  tenantId: string,
  state: State,
  { visits, seen }: { readonly visits: readonly number[]; readonly seen: readonly number[] },
): Promise<number> {
  const feed = await test.sql<Published & Record<string, unknown>>(
    `SELECT seq::integer, dedupe_key AS key, status, funds_recovery_id AS recovery FROM fr_event WHERE tenant_id = $1
      ORDER BY seq`,
    [tenantId],
  );
  const history = historyOf(state);
  const happened = new Set(history.map(({ dedupeKey }) => dedupeKey));
  const keys = new Set(feed.map(({ key }) => key));
  const seqs = feed.map(({ seq }) => seq);
  expect(
    [...keys].filter((key) => !happened.has(key)),
    'never happened',
  ).toEqual([]);
  expect(
    history.filter((event) => !keys.has(event.dedupeKey) && wasShown(event, visits)).map(({ dedupeKey }) => dedupeKey),
    'lost',
  ).toEqual([]);
  expect(keys.size, 'doubled').toBe(feed.length);
  expect(seqs, 'a hole').toEqual(feed.map((_, index) => index + 1));
  for (const events of Map.groupBy(feed, ({ recovery }) => recovery).values()) {
    const ranks = events.map(({ status }) => rankOf(status));
    expect(ranks, 'a status went down').toEqual(ranks.toSorted((one, other) => one - other));
  }
  expect(seen, 'a reader missed an event or saw it twice').toEqual(seqs);
  return feed.length;
}

/** Returns whether a visit fell into the time in which the directory showed the event. */
function wasShown({ knownFrom, goneAt }: HistoryEvent, visits: readonly number[]): boolean {
  return goneAt === null || visits.some((at) => at >= Date.parse(knownFrom) && at < Date.parse(goneAt));
}
