/** Reads of stored feeds: a thousand consumers at once, and what one read costs as the feed grows. */
import { uuidv7 } from '../../server/base/uuid.ts';
import { connectDatabase } from '../../server/database/index.ts';
import type { DatabaseLocation, DatabaseLogin } from '../../server/database/login.ts';
import { withClient } from '../../server/database/pool.ts';
import { AccessTokens } from '../../server/identity/access-token.ts';
import { createTenant } from '../../server/identity/store.ts';
import { FeedCursors } from '../../server/modules/recovery-feed/index.ts';
import { silent } from '../../test/support/silent.ts';
import { alternate, atMost, plain, ratioByRound, type Row, type Section } from './figures.ts';
import { measureIngestion, sampleEvents } from './ingestion.ts';
import type { Contender, Laboratory } from './laboratory.ts';
import type { Plan } from './load.ts';
import { stopping, type Open } from './program.ts';
import { middle, type Target, type Timed, type Turns } from './service.ts';

const CONSUMERS = 1000;
const PAGE = 100;
/** Reads of the two feeds change places more often than others do: the ratio of two single reads is what noise spoils most. */
const TURNS_PER_ROUND = 4;
const LIFETIME_SECONDS = 24 * 3600;

/** What a consumer of the feed can be at. */
const kinds = { onward: `page of ${PAGE} in the middle, position moved`, lastPage: `last page of ${PAGE}`, nothingNew: 'nothing new' } as const;
type Kind = keyof typeof kinds;
const kindNames = Object.keys(kinds) as Kind[];

/** Payloads as the directory's documents make them, or ones of a few bytes where the disk would not hold those. */
type Payloads = 'whole' | 'small';

/** A service of its own on a feed of its own in a database of its own, with its consumers. */
interface FeedService extends Target {
  readonly events: number;
  /** `share` of 1 says where in the feed the consumers begin to read onward. */
  requests(kind: Kind, share: (consumer: number) => number): Plan['requests'];
}

async function startFeed(laboratory: Laboratory, open: Open, events: number, payloads: Payloads): Promise<FeedService> {
  laboratory.say(`a feed of ${events} stored events …`);
  const { secrets } = laboratory;
  const location: DatabaseLocation = { ...laboratory.location, database: `feed_${payloads}_${events}` };
  await laboratory.createDatabase(location);
  const database = connectDatabase(location, secrets, { kind: 'external', poolSize: 1, log: silent, stop: async () => {} });
  const tenantId = uuidv7();
  const prefixes: string[] = [];
  try {
    await database.platform({ tenantId }, (tx) => createTenant(tx, { id: tenantId, slug: 'stored', name: 'Tenant with a feed' }));
    while (prefixes.length < CONSUMERS) prefixes.push((await laboratory.issueKey(database, tenantId, ['read'])).key.prefix);
  } finally {
    await database.close();
  }
  await fill(laboratory.administratorOf(location), tenantId, events, payloads);
  const tokens = new AccessTokens(secrets, () => new Date());
  const cursors = new FeedCursors(secrets.deriveKey('feed cursor'));
  const cursorOf = (prefix: string, sequence: number): string => cursors.encode({ tenantId, environment: 'live', id: `client:${prefix}` }, { generation: 1, sequence });
  const consumers = prefixes.map((prefix) => ({
    headers: { authorization: `Bearer ${tokens.forClient({ prefix, tenantId, scopes: ['read'], environment: 'live' }, LIFETIME_SECONDS)}` },
    pathAt: (sequence: number) => `/api/v1/funds-recovery/events?limit=${PAGE}&cursor=${cursorOf(prefix, sequence)}`,
  }));
  const service = await open(laboratory.startService({ JOBS: 'false', DIRECTORY_SIMULATOR: 'false' }, undefined, location));
  const requests: FeedService['requests'] = (kind, share) => consumers.map(({ headers, pathAt }, index) => (
    { method: 'GET', headers, path: pathAt(kind === 'onward' ? Math.floor(events * share(index)) : events - (kind === 'lastPage' ? PAGE : 0)) }));
  // What is fast must also be right: the events of the last page as they are numbered, and the position after them.
  const [last] = requests('lastPage', () => 1);
  const page = await (await fetch(service.url + last?.path, { headers: last?.headers ?? {} })).json() as { events?: unknown[]; cursor?: string; hasMore?: boolean };
  if (page.events?.length !== PAGE || page.hasMore !== false || page.cursor !== cursorOf(prefixes[0] ?? '', events)) throw new Error(`the last page of the feed is wrong: ${JSON.stringify(page).slice(0, 500)}`);
  return { ...service, events, requests };
}

/**
 * The events of ended recoveries over and over, each time of other ones; every fiftieth recovery is still open. Indexes
 * over random keys are made when all rows are there: ten million would take hours otherwise.
 */
async function fill(owner: DatabaseLogin, tenantId: string, events: number, payloads: Payloads): Promise<void> {
  const course = (await sampleEvents(2)).map(({ eventType, status, dedupeKey, rawPayload }) => (
    { type: eventType, status, key: dedupeKey, payload: payloads === 'whole' ? rawPayload : { FundsRecovery: { Status: status } } }));
  await withClient(owner, async (client) => {
    await client.query('SET session_replication_role = replica; SET maintenance_work_mem = \'256MB\'; SET synchronous_commit = off');
    await client.query('ALTER TABLE fr_event DROP CONSTRAINT fr_event_dedupe_key; DROP INDEX fr_event_recovery');
    await client.query(`
      INSERT INTO fr_event (tenant_id, env, seq, event_id, funds_recovery_id, event_type, status, occurred_at, dedupe_key, raw_payload)
      SELECT $1::uuid, 'live', seq, 'evt_' || md5(seq::text), md5((seq / $3)::text)::uuid, one ->> 'type', one ->> 'status',
        now() - interval '400 days' * (1 - seq / $2::float8), (one ->> 'key') || ':' || seq, one -> 'payload'
      FROM generate_series(1, $2::bigint) AS seq CROSS JOIN LATERAL (SELECT ($4::jsonb) -> (seq % $3)::integer AS one) AS of_course`,
      [tenantId, events, course.length, JSON.stringify(course)]);
    await client.query(`
      INSERT INTO fr_recovery (tenant_id, env, funds_recovery_id, status, phase_began_at)
      SELECT $1::uuid, 'live', md5(number::text)::uuid,
        CASE WHEN number % 50 > 0 THEN 'COMPLETED' ELSE (ARRAY['CREATED', 'AWAITING_ANALYSIS', 'ANALYSED', 'REFUNDING'])[1 + number / 50 % 4] END,
        now() - interval '30 days' * random()
      FROM generate_series(0, $2::bigint / $3) AS number`, [tenantId, events, course.length]);
    await client.query(`UPDATE fr_feed SET last_seq = $2 WHERE tenant_id = $1 AND env = 'live'`, [tenantId, events]);
    await client.query('ALTER TABLE fr_event ADD CONSTRAINT fr_event_dedupe_key UNIQUE (tenant_id, env, dedupe_key)');
    await client.query('CREATE INDEX fr_event_recovery ON fr_event (tenant_id, env, funds_recovery_id, seq)');
    await client.query('VACUUM (ANALYZE) fr_event, fr_recovery, fr_feed');
  });
}

interface Pair {
  readonly consumers: Readonly<Record<Kind, Turns>>;
  readonly growth: Readonly<Record<Kind, Readonly<Record<'small' | 'large', Turns>>>>;
}

/** Two services, each on a feed of its own, that take turns; then all consumers on the large one. */
function measurePair(laboratory: Laboratory, small: number, large: number, payloads: Payloads): Promise<Pair> {
  const { rounds, secondsPerTurn, warmUpSeconds } = laboratory.extent;
  return stopping(async (open) => {
    const services = { small: await startFeed(laboratory, open, small, payloads), large: await startFeed(laboratory, open, large, payloads) };
    // Reading onward always moves positions: each turn takes place in a part of the feed of its own, the first ones for warming up.
    const parts = (kindNames.length * TURNS_PER_ROUND + 1) * (rounds + 1);
    let part = 0;
    const read = (service: FeedService, kind: Kind, load: { readonly connections?: number }): Contender => (seconds) => laboratory.contender(service, {
      ...load, expectedStatus: 200, followCursors: kind === 'onward', requests: service.requests(kind, (consumer) => (part + consumer / CONSUMERS) / parts),
    })(seconds);
    const growth = {} as Record<Kind, Record<'small' | 'large', Timed[]>>;
    for (const kind of kindNames) {
      laboratory.say(`reads of the feed at ${small} and ${large} events, ${kinds[kind]} …`);
      const both = { small: read(services.small, kind, { connections: 1 }), large: read(services.large, kind, { connections: 1 }) };
      await alternate(1, both, () => part++, warmUpSeconds);
      growth[kind] = await alternate(rounds * TURNS_PER_ROUND, both, () => part++, secondsPerTurn / TURNS_PER_ROUND);
    }
    const all = Object.fromEntries(kindNames.map((kind) => [kind, read(services.large, kind, {})])) as Record<Kind, Contender>;
    const consumers = await alternate(rounds, all, (round) => {
      part++;
      laboratory.say(`${CONSUMERS} consumers of the feed, round ${round} of ${rounds} …`);
    }, secondsPerTurn);
    return { consumers, growth };
  });
}

export async function measureFeed(laboratory: Laboratory): Promise<Section[]> {
  const { small, large, largest } = laboratory.extent.feed;
  const ingestion = await measureIngestion(laboratory);
  const whole = await measurePair(laboratory, small, large, 'whole');
  const few = largest === null ? null : await measurePair(laboratory, small, largest, 'small');
  const latency = (turns: Turns): string => `p50 ${middle(turns, (one) => one.p50Milliseconds)} ms, p99 ${middle(turns, (one) => one.p99Milliseconds)} ms`;
  const growth = ({ growth: measured }: Pair, most: number, note: string): Row[] => kindNames.flatMap((kind) => {
    const of = (turns: Turns): number[] => turns.map((one) => one.p50Milliseconds);
    const grown = ratioByRound(of(measured[kind].large), of(measured[kind].small));
    const what = kinds[kind] + note;
    return [
      plain(`${what}, ${small} events`, latency(measured[kind].small)), plain(`${what}, ${most} events`, latency(measured[kind].large)),
      atMost(`${what}, ${most} / ${small} events`, grown.median, 1.15, '', grown.text),
    ];
  });
  return [
    ingestion,
    {
      title: `Funds-recovery feed: ${CONSUMERS} consumers at once, ${large} stored events`, raw: whole.consumers,
      rows: Object.entries(whole.consumers).map(([kind, turns]) =>
        plain(kinds[kind as Kind], `${middle(turns, (one) => one.perSecond)}/s, ${latency(turns)}, ${middle(turns, (one) => one.cpuMicroseconds)} µs CPU`)),
    },
    {
      title: 'Funds-recovery feed: what a read costs as the feed grows, one after the other', raw: [whole.growth, few?.growth],
      rows: [...growth(whole, large, ''), ...(few === null || largest === null ? [] : growth(few, largest, ', small payloads'))],
    },
  ];
}
