/** From the simulated directory, over mutual TLS, to the feed; and the parts of that way without a directory and without a database. */
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { Registry } from 'prom-client';
import { createLog } from '../../server/base/log.ts';
import { secretsFrom } from '../../server/base/secrets.ts';
import { uuidv7 } from '../../server/base/uuid.ts';
import { connectDatabase, type Database, knex } from '../../server/database/index.ts';
import type { DatabaseLocation } from '../../server/database/login.ts';
import { createTenant } from '../../server/identity/store.ts';
import { applyObservations, derive, lockRecordWriters, type Observation, standardStageLimits } from '../../server/modules/recoveries/index.ts';
import { ConfiguredParticipants, Ingestion, IngestionAlarm, observe, provenance } from '../../server/modules/recovery-ingestion/index.ts';
import { DirectoryClient, openAuthority } from '../../server/providers/directory/index.ts';
import { appendCommand, fold, historyOf, type JournalEntry, sandboxIspb, startDirectorySimulator } from '../../server/simulators/directory/index.ts';
import { withJobLock } from '../../server/tasks/store.ts';
import { named } from '../../test/support/courses.ts';
import { FoldedDirectory } from '../../test/support/folded-directory.ts';
import { alternate, atMost, plain, type Section } from './figures.ts';
import type { Laboratory } from './laboratory.ts';
import { Program, serve, stopping } from './program.ts';
import { middle } from './service.ts';

interface Speed {
  readonly events: number;
  readonly perSecond: number;
  /** Of this process alone. */
  readonly cpuMicroseconds: number;
}

const MANY_TENANTS = 8;
/** As many recoveries as a page of 200 notifications is about. */
const PAGE = 50;
/** The plainest course and one with three reports: 7 and 12 events. */
const COURSES = ['happy-path', 'tracking-three-reports'].map(named);
/** A participant is to be slowed down by nothing but the work. */
const unlimited = { refillTokens: 1_000_000, capacity: 1_000_000, refillPeriodSeconds: 60 };
const rates = { EVENT_LIST: unlimited, INFRACTION_REPORTS_LIST_WITH_ROLE: unlimited, REFUND_LIST_WITH_ROLE: unlimited };

const clock = () => new Date();
const log = createLog('error');

function connect(location: DatabaseLocation, secret: string, poolSize: number): Database {
  return connectDatabase(location, secretsFrom(secret), { kind: 'external', poolSize, log, stop: async () => {} });
}

/** Recoveries that the participant opened and that have ended when they are first seen, half of each course. */
function endedCourses(count: number): JournalEntry[] {
  const at = new Date(Date.now() - 60_000).toISOString();
  return Array.from({ length: count }, (_, index) => {
    const course = COURSES[index % COURSES.length] as (typeof COURSES)[number];
    return { seq: index + 1, at, command: course.open({ runId: randomUUID(), role: 'SENT', amount: '812.40', pace: 'instant', onTimeout: null, situation: 'SCAM' }) };
  });
}

async function observationsOf(tenantId: string, recoveries: number): Promise<Observation[]> {
  const at = new Date();
  const state = fold(tenantId, endedCourses(recoveries), at.getTime());
  const ispb = sandboxIspb(tenantId);
  const directory = new FoldedDirectory(() => state, { pageSize: Infinity });
  const participant = { environment: 'sandbox', ispb, tenantId, directory, source: 'DICT_SIMULATOR', members: new Map([[ispb, tenantId]]), includeIndirect: false } as const;
  const { notifications, ...envelope } = await directory.listEventNotifications(ispb, { cursor: null });
  const page = provenance(participant, envelope, at);
  const observed = await Promise.all([...Map.groupBy(notifications, ({ EntityId }) => EntityId)].map(([id, own]) =>
    observe(participant, id, { ispb, at, known: null, notifications: own, page })));
  return observed.filter((one) => one !== null);
}

/** The events of one recovery after another, as they stand in a feed. */
export async function sampleEvents(recoveries: number) {
  return (await observationsOf(uuidv7(), recoveries)).flatMap((seen) => derive(null, seen, standardStageLimits).events);
}

async function timed(work: () => number | Promise<number>): Promise<Speed> {
  const cpu = process.cpuUsage();
  const begun = performance.now();
  const events = await work();
  const seconds = (performance.now() - begun) / 1000;
  const { user, system } = process.cpuUsage(cpu);
  return { events, perSecond: events / seconds, cpuMicroseconds: (user + system) / events };
}

/** The pure part: from what was read of recoveries to their events. */
async function deriving(recoveries: number): Promise<Speed> {
  const observations = await observationsOf(uuidv7(), recoveries);
  return timed(() => observations.reduce((sum, seen) => sum + derive(null, seen, standardStageLimits).events.length, 0));
}

/** Deriving, saving the records and publishing, a transaction for each page. */
async function publishing(database: Database, recoveries: number): Promise<Speed> {
  const tenantId = await addTenant(database);
  const observations = await observationsOf(tenantId, recoveries);
  return timed(async () => {
    let events = 0;
    for (let start = 0; start < observations.length; start += PAGE) {
      events += await database.transaction({ tenantId }, async (tx) => {
        await lockRecordWriters(tx, 'sandbox');
        return (await applyObservations(tx, 'sandbox', observations.slice(start, start + PAGE), standardStageLimits)).published;
      });
    }
    return events;
  });
}

interface Order { readonly location: DatabaseLocation; readonly secret: string; readonly dataDir: string }

/** The program: a simulated directory, which so does not share a thread with who reads it. */
async function playDirectory({ location, secret, dataDir }: Order): Promise<string> {
  return (await startDirectorySimulator({ database: connect(location, secret, 4), clock, log, dataDir, rates })).url;
}

/** What has happened to the recoveries of a new tenant when they are first read. */
async function simulate(database: Database, recoveries: number): Promise<{ readonly tenantId: string; readonly expected: number }> {
  const tenantId = await addTenant(database);
  const journal = endedCourses(recoveries);
  await database.transaction({ tenantId }, async (tx) => {
    for (const { at, command } of journal) await appendCommand(tx, new Date(at), command);
  });
  return { tenantId, expected: historyOf(fold(tenantId, journal, Date.now())).length };
}

async function addTenant(database: Database): Promise<string> {
  const id = uuidv7();
  await database.platform({ tenantId: id }, (tx) => createTenant(tx, { id, slug: `feed-${id.slice(-12)}`, name: 'Tenant with a feed' }));
  return id;
}

async function published(database: Database, tenantId: string): Promise<number> {
  const [feed] = await database.transaction({ tenantId, readOnly: true }, (tx) =>
    tx.query<{ last_seq: number }>(knex('fr_feed').select('last_seq').where({ env: 'sandbox' })));
  return feed?.last_seq ?? 0;
}

export function measureIngestion({ location, secret, folder, extent, say }: Laboratory): Promise<Section> {
  const { rounds, feed: { recoveries } } = extent;
  return stopping(async (open) => {
    const database = connect(location, secret, 8);
    await open({ stop: () => database.close() });
    const url = await (await open(new Program<Order, string>(import.meta.filename))).run({ location, secret, dataDir: folder });
    const authority = await openAuthority(join(folder, 'directory'));
    const directory = new DirectoryClient({
      url, authorities: authority.certificate, signers: [authority.signer.certificate], identify: (ispb) => authority.client(ispb), rates: { ...rates, FUNDS_RECOVERIES: unlimited },
    });
    await open({ stop: () => directory.close() });
    const ingestion = await open(new Ingestion({
      database, log, clock, limits: standardStageLimits, alarm: new IngestionAlarm(new Registry(), log),
      participants: new ConfiguredParticipants(database, { directory, ispbOf: sandboxIspb }, null), lead: (name, work) => withJobLock(database, name, work),
    }));
    let missing = 0;
    const overTls = (tenants: number) => async (): Promise<Speed> => {
      const due = await Promise.all(Array.from({ length: tenants }, () => simulate(database, recoveries / tenants)));
      // The certificate of a participant, which it has before it asks anything.
      for (const { tenantId } of due) await authority.client(sandboxIspb(tenantId));
      const expected = due.reduce((sum, one) => sum + one.expected, 0);
      const speed = await timed(async () => {
        await Promise.all(due.map(({ tenantId }) => ingestion.pollNow(tenantId)));
        return expected;
      });
      for (const { tenantId, expected: events } of due) missing += Math.abs(events - await published(database, tenantId));
      return speed;
    };
    const contenders = {
      oneTenant: overTls(1), manyTenants: overTls(MANY_TENANTS), deriving: () => deriving(recoveries), publishing: () => publishing(database, recoveries),
    };
    await alternate(1, contenders, () => say('ingestion: warming up …'));
    const raw = await alternate(rounds, contenders, (round) => say(`ingestion, round ${round} of ${rounds} …`));
    const speed = (turns: readonly Speed[]): string => `${middle(turns, (one) => one.perSecond)} events/s, ${middle(turns, (one) => one.cpuMicroseconds)} µs CPU`;
    return {
      title: 'Funds-recovery feed: from the directory into it', raw,
      rows: [
        plain('over mutual TLS, pages of 200, one tenant', speed(raw.oneTenant)), plain(`over mutual TLS, pages of 200, ${MANY_TENANTS} tenants`, speed(raw.manyTenants)),
        plain('deriving, saving and publishing, without a directory', speed(raw.publishing)), plain('deriving alone', speed(raw.deriving)),
        atMost('events lost or doubled', missing, 0, ''),
      ],
    };
  });
}

if (import.meta.main) serve(playDirectory);
