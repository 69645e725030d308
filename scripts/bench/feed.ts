/** Reads of stored feeds: a thousand consumers at once, and what one read costs as the feed grows. Used by main.ts. */
import { withClient } from '../../server/database/pool.ts';
import { FeedCursors } from '../../server/modules/recovery-feed/index.ts';
import type { TestDatabase } from '../../test/support/postgres.ts';
import { takeInRecovery } from '../../test/support/recoveries.ts';
import { alternate, ratio, type Row, type Section } from './figures.ts';
import type { Contender, Laboratory } from './laboratory.ts';
import type { Plan } from './load.ts';
import { latency, speed, type Target, type Timed } from './service.ts';

const CONSUMERS = 1000;
const PAGE = 100;
/** Turns per round, more than elsewhere, because noise affects the ratio of two single reads most. */
const TURNS_PER_ROUND = 4;

/** Kinds of read of a feed consumer. */
const kinds = {
  onward: `page of ${PAGE} in the middle, position moved`,
  lastPage: `last page of ${PAGE}`,
  nothingNew: 'nothing new',
} as const;
type Kind = keyof typeof kinds;
const kindNames = Object.keys(kinds) as Kind[];

/**
 * Full-size payloads as the directory's documents produce them, or payloads of a few bytes if the disk is too small for
 * those.
 */
type Payloads = 'whole' | 'small';

/** A service on its own feed in its own database, with its consumers. */
interface FeedService extends Target {
  /** `share`, between 0 and 1, is the position in the feed at which a consumer begins to read onward. */
  requests(kind: Kind, share: (consumer: number) => number): Plan['requests'];
}

async function startFeed(laboratory: Laboratory, events: number, payloads: Payloads): Promise<FeedService> {
  laboratory.say(`a feed of ${events} stored events …`);
  await using opened = new AsyncDisposableStack();
  const database = opened.adopt(await laboratory.createDatabase(2), (one) => one.close());
  const tenant = await laboratory.tenantIn(database);
  await fill(database, tenant.id, events, payloads);
  const cursors = new FeedCursors(database.secrets.deriveKey('feed cursor'));
  const consumers: {
    readonly headers: Plan['requests'][number]['headers'];
    readonly cursorAt: (sequence: number) => string;
  }[] = [];
  while (consumers.length < CONSUMERS) {
    const clientId = `consumer-${consumers.length}`;
    const consumer = { tenantId: tenant.id, environment: 'live', id: `client:${clientId}` } as const;
    consumers.push({
      headers: await tenant.client(['read'], { clientId }),
      cursorAt: (sequence) => cursors.encode(consumer, { generation: 1, sequence }),
    });
  }
  const { url } = opened.use(
    await laboratory.startService({ JOBS: 'false', DIRECTORY_SIMULATOR: 'false' }, undefined, database),
  );
  const requests: FeedService['requests'] = (kind, share) =>
    consumers.map(({ headers, cursorAt }, index) => {
      const sequence =
        kind === 'onward' ? Math.floor(events * share(index)) : events - (kind === 'lastPage' ? PAGE : 0);
      return {
        method: 'GET',
        headers,
        path: `/api/v1/funds-recovery/events?limit=${PAGE}&cursor=${cursorAt(sequence)}`,
      };
    });
  // Fast reads must also be correct: compares the numbers of the events of the last page, and the position after them.
  const [last] = requests('lastPage', () => 1);
  const page = (await (await fetch(url + last?.path, { headers: last?.headers ?? {} })).json()) as {
    events?: unknown[];
    cursor?: string;
    hasMore?: boolean;
  };
  if (page.events?.length !== PAGE || page.hasMore !== false || page.cursor !== consumers[0]?.cursorAt(events))
    throw new Error(`the last page of the feed is wrong: ${JSON.stringify(page).slice(0, 500)}`);
  const moved = opened.move();
  return { url, requests, [Symbol.asyncDispose]: () => moved.disposeAsync() };
}

/**
 * Fills a feed with the events of an ended recovery, repeated for other recoveries; every fiftieth recovery is still
 * open. Indexes over random keys are created after all rows: otherwise ten million rows would take hours.
 */
async function fill(database: TestDatabase, tenantId: string, events: number, payloads: Payloads): Promise<void> {
  await takeInRecovery(database.database, tenantId, { environment: 'sandbox' });
  const payload =
    payloads === 'whole' ? 'raw_payload' : `jsonb_build_object('FundsRecovery', jsonb_build_object('Status', status))`;
  const course = await database.sql(
    `SELECT event_type AS type, status, dedupe_key AS key, ${payload} AS payload FROM fr_event WHERE env = 'sandbox'
      ORDER BY seq`,
  );
  await withClient(database.superuser, async (client) => {
    await client.query(
      "SET session_replication_role = replica; SET maintenance_work_mem = '256MB'; SET synchronous_commit = off",
    );
    await client.query('ALTER TABLE fr_event DROP CONSTRAINT fr_event_dedupe_key; DROP INDEX fr_event_recovery');
    await client.query(
      `
      INSERT INTO fr_event (tenant_id, env, seq, event_id, funds_recovery_id, event_type, status, occurred_at,
        dedupe_key, raw_payload)
      SELECT $1::uuid, 'live', seq, 'evt_' || md5(seq::text), md5((seq / $3)::text)::uuid, one ->> 'type',
        one ->> 'status',
        now() - interval '400 days' * (1 - seq / $2::float8), (one ->> 'key') || ':' || seq, one -> 'payload'
      FROM generate_series(1, $2::bigint) AS seq
        CROSS JOIN LATERAL (SELECT ($4::jsonb) -> (seq % $3)::integer AS one) AS of_course`,
      [tenantId, events, course.length, JSON.stringify(course)],
    );
    await client.query(
      `
      INSERT INTO fr_recovery (tenant_id, env, funds_recovery_id, status, phase_began_at)
      SELECT $1::uuid, 'live', md5(number::text)::uuid,
        CASE WHEN number % 50 > 0 THEN 'COMPLETED'
          ELSE (ARRAY['CREATED', 'AWAITING_ANALYSIS', 'ANALYSED', 'REFUNDING'])[1 + number / 50 % 4] END,
        now() - interval '30 days' * random()
      FROM generate_series(0, $2::bigint / $3) AS number`,
      [tenantId, events, course.length],
    );
    await client.query(`UPDATE fr_feed SET last_seq = $2 WHERE tenant_id = $1 AND env = 'live'`, [tenantId, events]);
    await client.query('ALTER TABLE fr_event ADD CONSTRAINT fr_event_dedupe_key UNIQUE (tenant_id, env, dedupe_key)');
    await client.query('CREATE INDEX fr_event_recovery ON fr_event (tenant_id, env, funds_recovery_id, seq)');
    await client.query('VACUUM (ANALYZE) fr_event, fr_recovery, fr_feed');
  });
}

/** Measures two services, each on its own feed, in turns; then all consumers on the large feed. */
async function measurePair(
  laboratory: Laboratory,
  small: number,
  large: number,
  payloads: Payloads,
): Promise<Section[]> {
  const { rounds, secondsPerTurn, warmUpSeconds } = laboratory.extent;
  await using smallFeed = await startFeed(laboratory, small, payloads);
  await using largeFeed = await startFeed(laboratory, large, payloads);
  // Reading onward always moves positions, so each turn has a part of the feed to itself.
  const parts = kindNames.length * (2 * (rounds * TURNS_PER_ROUND + 1) + rounds + 1);
  let part = 0;
  const read =
    (service: FeedService, kind: Kind, load: { readonly connections?: number } = {}): Contender =>
    (seconds) => {
      const requests = service.requests(kind, (consumer) => (part + consumer / CONSUMERS) / parts);
      part++;
      return laboratory.contender(service, {
        ...load,
        expectedStatus: 200,
        followCursors: kind === 'onward',
        requests,
      })(seconds);
    };
  const growth = {} as Record<Kind, Record<'small' | 'large', Timed[]>>;
  for (const kind of kindNames) {
    laboratory.say(`reads of the feed at ${small} and ${large} events, ${kinds[kind]} …`);
    const both = { small: read(smallFeed, kind, { connections: 1 }), large: read(largeFeed, kind, { connections: 1 }) };
    if (warmUpSeconds > 0) await alternate(1, both, () => {}, warmUpSeconds);
    growth[kind] = await alternate(rounds * TURNS_PER_ROUND, both, () => {}, secondsPerTurn / TURNS_PER_ROUND);
  }
  const all = Object.fromEntries(kindNames.map((kind) => [kind, read(largeFeed, kind)])) as Record<Kind, Contender>;
  const consumers = await laboratory.compete(`${CONSUMERS} consumers of the feed`, all);
  const note = payloads === 'small' ? ', small payloads' : '';
  return [
    {
      title: `Funds-recovery feed: ${CONSUMERS} consumers at once, ${large} stored events${note}`,
      raw: consumers,
      rows: kindNames.map((kind): Row => [kinds[kind], speed(consumers[kind])]),
    },
    {
      title: `Funds-recovery feed: what a read costs as the feed grows, one after the other${note}`,
      raw: growth,
      rows: kindNames.flatMap((kind): Row[] => [
        [`${kinds[kind]}, ${small} events`, latency(growth[kind].small)],
        [`${kinds[kind]}, ${large} events`, latency(growth[kind].large)],
        [
          `${kinds[kind]}, ${large} / ${small} events`,
          ratio(growth[kind].large, growth[kind].small, (turn) => turn.p50Milliseconds),
          '≤ 1.15',
        ],
      ]),
    },
  ];
}

export async function measureFeed(laboratory: Laboratory): Promise<Section[]> {
  const { small, large, largest } = laboratory.extent.feed;
  return [
    ...(await measurePair(laboratory, small, large, 'whole')),
    ...(largest === null ? [] : await measurePair(laboratory, small, largest, 'small')),
  ];
}
