/** Test of ingestion with many recoveries: notifications and deadlines stay on time. */
import { Registry } from 'prom-client';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { journalOf, World } from '../../../test/support/crowd-of-recoveries.ts';
import { FoldedDirectory } from '../../../test/support/folded-directory.ts';
import { createTestDatabase, type TestDatabase } from '../../../test/support/postgres.ts';
import { randomOf } from '../../../test/support/random.ts';
import { silent } from '../../../test/support/silent.ts';
import { type Directory, DirectoryError } from '../../providers/directory/index.ts';
import { rates, TokenBucket } from '../../providers/directory/rate-limits.ts';
import { historyOf } from '../../simulators/directory/core/history.ts';
import { sandboxIspb } from '../../simulators/directory/core/values.ts';
import { Buckets, type DirectoryPolicy, directoryRates } from '../../simulators/directory/wire/rate-limits.ts';
import { standardStageLimits } from '../recoveries/index.ts';
import { IngestionAlarm, type IngestionContext } from './context.ts';
import { readDocuments } from './documents.ts';
import type { Participant } from './participants.ts';
import { followAnnouncements, pollRound } from './round.ts';

const SEED = Number(process.env['SEED'] ?? 20261125);
const SIZES = process.env['SOAK'] === 'true' ? [10_000, 1_000, 100] : [300];
const [second, minute, hour] = [1_000, 60_000, 3_600_000];
const WINDOW = process.env['SOAK'] === 'true' ? 2 * hour : 40 * minute;
/** Latency of a response of the directory, in milliseconds. */
const latency = 100;

let test: TestDatabase;
beforeAll(async () => {
  test = await createTestDatabase();
});
afterAll(() => test.close());

const policies: Partial<Record<keyof Directory, DirectoryPolicy>> = {
  listEventNotifications: 'EVENT_LIST',
  listInfractionReports: 'INFRACTION_REPORTS_LIST_WITH_ROLE',
  listRefunds: 'REFUND_LIST_WITH_ROLE',
};

/**
 * Wraps the directory with its published rates and this service's own limit of reads of recoveries, by the virtual
 * clock. Counts requests by kind.
 */
function limited(directory: Directory, world: World, counts: Map<string, number>, elapse: () => void): Directory {
  const published = new Buckets(directoryRates, () => world.now);
  const own = new TokenBucket(rates.FUNDS_RECOVERIES, () => world.now);
  return new Proxy(directory, {
    get(target, name: keyof Directory) {
      if (name === 'recoveryReadsLeft') return async () => Math.floor(own.tokens);
      return async (ispb: string, ...rest: unknown[]): Promise<unknown> => {
        const policy = policies[name];
        if (policy === undefined ? own.take(0) === null : !published.take(ispb, policy))
          throw new DirectoryError('RateLimited', `${name} was asked too often`);
        counts.set(policy ?? 'FUNDS_RECOVERIES', (counts.get(policy ?? 'FUNDS_RECOVERIES') ?? 0) + 1);
        elapse();
        return (target[name] as (...given: unknown[]) => Promise<unknown>)(ispb, ...rest);
      };
    },
  });
}

interface Told extends Record<string, unknown> {
  readonly seq: number;
  readonly key: string;
  readonly type: string;
  readonly at: string;
  readonly origin: string;
  readonly recovery: string;
}

/** Returns the kind of the event by which its delay is measured; null if no delay is promised. */
function kindOf({ type, origin, key }: Pick<Told, 'type' | 'origin' | 'key'>) {
  if (origin === 'NATIVE') return 'notification';
  if (!type.endsWith('_TIMED_OUT')) return null;
  return /^to:(ANALYSIS|REFUND):/.test(key) ? 'deadline' : 'otherDeadline';
}

async function follow(count: number) {
  const random = randomOf(SEED + count);
  const tenantId = await test.tenant();
  const ispb = sandboxIspb(tenantId);
  const world = new World(tenantId, journalOf(count, WINDOW, random));
  const free = new FoldedDirectory(() => world.state());
  const participant = (directory: Directory): Participant => ({
    environment: 'live',
    ispb,
    tenantId,
    directory,
    source: 'DICT',
    members: new Map([[ispb, tenantId]]),
    includeIndirect: false,
  });
  const ingesting: IngestionContext = {
    database: test.database,
    limits: standardStageLimits,
    alarm: new IngestionAlarm(new Registry(), silent),
    timeOf: async () => new Date(world.now),
    signal: new AbortController().signal,
  };
  const publishedAfter = (after: number) =>
    test.sql<Told>(
      `SELECT seq::integer, dedupe_key AS key, event_type AS type, occurred_at AS at,
        raw_payload #>> '{@meta,origin}' AS origin, funds_recovery_id AS recovery
      FROM fr_event WHERE tenant_id = $1 AND seq > $2 ORDER BY seq`,
      [tenantId, after],
    );
  const isReconciled = async () => {
    const streams = await test.sql(
      `SELECT 1 FROM dict_stream s WHERE tenant_id = $1 AND reconciled_at IS NOT NULL
        AND NOT EXISTS (SELECT FROM dict_unread u WHERE u.tenant_id = s.tenant_id)`,
      [tenantId],
    );
    return streams.length > 0;
  };

  // Reads the existing recoveries without any limit, as if they had been followed all the time.
  while (!(await isReconciled())) await pollRound(ingesting, participant(free), false);
  world.now += 11 * minute;
  await pollRound(ingesting, participant(free), true);
  const start = world.now;
  let seq = (await publishedAfter(0)).at(-1)?.seq ?? 0;
  const [counted] = await test.sql<{ count: number }>(
    `SELECT count(*)::integer AS count FROM fr_record
      WHERE tenant_id = $1 AND status NOT IN ('COMPLETED', 'CANCELLED')`,
    [tenantId],
  );
  const open = counted?.count;

  const counts = new Map<string, number>();
  let isWaiting = true;
  // The lanes run at the same time: a response that the announcements wait for takes time, one that the documents wait
  // for delays nothing else.
  const directory = participant(
    limited(free, world, counts, () => {
      if (isWaiting) world.now += latency;
    }),
  );
  const worst = {
    notification: 0,
    deadline: 0,
    otherDeadline: 0,
    events: 0,
  };
  const measure = async (): Promise<void> => {
    for (const { seq: last, type, at, origin, key } of await publishedAfter(seq)) {
      seq = last;
      const delay = world.now - Date.parse(at);
      const what = kindOf({ type, origin, key });
      worst.events += 1;
      if (what !== null) worst[what] = Math.max(worst[what], delay);
    }
  };
  for (let next = start; next < start + WINDOW; next += 30 * second * (0.9 + 0.2 * random())) {
    world.now = Math.max(world.now, Math.floor(next));
    isWaiting = true;
    await followAnnouncements(ingesting, directory);
    await measure();
    isWaiting = false;
    await readDocuments(ingesting, directory, false);
    await measure();
  }
  const keys = (await publishedAfter(0)).map(({ key }) => key);
  const history = historyOf(world.state());
  const happened = new Set(history.map(({ dedupeKey }) => dedupeKey));
  // Every event with a promised delay must be published two minutes before the end.
  const promised = history.filter(
    ({ knownFrom, goneAt, origin, dedupeKey }) =>
      Date.parse(knownFrom) < world.now - 2 * minute &&
      goneAt === null &&
      (origin === 'NATIVE' || /^to:(ANALYSIS|REFUND):/.test(dedupeKey)),
  );
  return {
    open,
    worst,
    counts,
    minutes: (world.now - start) / minute,
    invented: keys.filter((key) => !happened.has(key)),
    lost: promised.map(({ dedupeKey }) => dedupeKey).filter((key) => !keys.includes(key)),
    doubled: keys.length - new Set(keys).size,
  };
}

it.each(SIZES)(
  'publishes notifications within a minute and no deadline late while about %i recoveries are followed at the ' +
    `directory’s published rates (seed ${SEED})`,
  async (count) => {
    const { open, worst, counts, minutes, ...wrong } = await follow(count);
    const perMinute = [...counts].map(([kind, all]) => `${kind} ${(all / minutes).toFixed(1)}/min`).join(', ');
    console.log(
      `${open} open of ${count}, ${worst.events} events in ${Math.round(minutes)} min: notification ` +
        `${worst.notification / second} s, deadline of a report or refund ${worst.deadline / second} s, other ` +
        `deadline ${worst.otherDeadline / second} s at worst; ${perMinute}`,
    );
    expect(wrong).toEqual({ invented: [], lost: [], doubled: 0 });
    expect(worst.events).toBeGreaterThan(100);
    expect(worst.notification).toBeGreaterThan(0);
    expect(worst.notification).toBeLessThanOrEqual(minute);
    expect(worst.deadline).toBeGreaterThan(0);
    expect(worst.deadline).toBeLessThanOrEqual(minute);
    expect(worst.otherDeadline).toBeGreaterThan(0);
    expect(worst.otherDeadline).toBeLessThanOrEqual(minute);
  },
  60 * minute,
);
