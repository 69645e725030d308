/**
 * From the simulated directory, over mutual TLS, to the feed. Used by main.ts, which shows how fast documents of the
 * directory become events.
 */
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { Registry } from 'prom-client';
import { createLog } from '../../server/base/log.ts';
import { secretsFrom } from '../../server/base/secrets.ts';
import { connectDatabase } from '../../server/database/index.ts';
import type { DatabaseLocation } from '../../server/database/database-login.ts';
import { standardStageLimits } from '../../server/modules/recoveries/index.ts';
import { ConfiguredParticipants, Ingestion, IngestionAlarm } from '../../server/modules/recovery-ingestion/index.ts';
import { DirectoryClient, openAuthority } from '../../server/providers/directory/index.ts';
import {
  appendCommand,
  fold,
  historyOf,
  type JournalEntry,
  sandboxIspb,
  startDirectorySimulator,
} from '../../server/simulators/directory/index.ts';
import { withJobLock } from '../../server/tasks/store.ts';
import { named } from '../../test/support/courses.ts';
import { testSecret } from '../../test/support/postgres.ts';
import { silent } from '../../test/support/silent.ts';
import { alternate, amount, median, round, type Row, type Section } from './figures.ts';
import type { Laboratory } from './laboratory.ts';
import { serve, startProgram } from './program.ts';

const MANY_TENANTS = 8;
/** The plainest course and one with three reports: 7 and 12 events. */
const COURSES = ['happy-path', 'tracking-three-reports'].map(named);
/** A participant is to be slowed down by nothing but the work. */
const unlimited = { refillTokens: 1_000_000, capacity: 1_000_000, refillPeriodSeconds: 60 };
const rates = { EVENT_LIST: unlimited, INFRACTION_REPORTS_LIST_WITH_ROLE: unlimited, REFUND_LIST_WITH_ROLE: unlimited };

const clock = () => new Date();

interface Order {
  readonly location: DatabaseLocation;
  readonly dataDir: string;
}

/** The program: a simulated directory, which so does not share a thread with who reads it. */
async function playDirectory({ location, dataDir }: Order): Promise<string> {
  const database = connectDatabase(location, secretsFrom(testSecret), {
    poolSize: 4,
    log: silent,
    stop: async () => {},
  });
  return (
    await startDirectorySimulator({
      database,
      clock,
      log: createLog('error'),
      dataDir,
      rates,
    })
  ).url;
}

/** Recoveries that the participant opened and that have ended when they are first seen, half of each course. */
function endedCourses(count: number): JournalEntry[] {
  const at = new Date(Date.now() - 60_000).toISOString();
  return Array.from({ length: count }, (_, index) => {
    const course = COURSES[index % COURSES.length] as (typeof COURSES)[number];
    return {
      seq: index + 1,
      at,
      command: course.open({
        runId: randomUUID(),
        role: 'SENT',
        amount: '812.40',
        pace: 'instant',
        onTimeout: null,
        situation: 'SCAM',
      }),
    };
  });
}

export async function measureIngestion(laboratory: Laboratory): Promise<Section[]> {
  const {
    folder,
    say,
    extent: {
      rounds,
      warmUpSeconds,
      feed: { recoveries },
    },
  } = laboratory;
  await using opened = new AsyncDisposableStack();
  const fixture = opened.adopt(await laboratory.createDatabase(8), (one) => one.close());
  const { database, location } = fixture;
  const url = await opened.use(startProgram<Order, string>(import.meta.filename)).run({ location, dataDir: folder });
  const authority = await openAuthority(join(folder, 'directory'));
  const directory = opened.adopt(
    new DirectoryClient({
      url,
      authorities: authority.certificate,
      signers: [authority.signer.certificate],
      identify: (ispb) => authority.client(ispb),
      rates: { ...rates, FUNDS_RECOVERIES: unlimited },
    }),
    (one) => one.close(),
  );
  const ingestion = opened.adopt(
    new Ingestion({
      database,
      log: silent,
      clock,
      limits: standardStageLimits,
      alarm: new IngestionAlarm(new Registry(), silent),
      participants: new ConfiguredParticipants(database, { directory, ispbOf: sandboxIspb }, null),
      lead: (name, work) => withJobLock(database, name, work),
    }),
    (one) => one.stop(),
  );
  let missing = 0;
  /** What has happened to the recoveries of a new tenant when they are first read. */
  const simulate = async (count: number): Promise<{ readonly tenantId: string; readonly expected: number }> => {
    const tenantId = await fixture.tenant();
    const journal = endedCourses(count);
    await database.transaction({ tenantId }, async (tx) => {
      for (const { at, command } of journal) await appendCommand(tx, new Date(at), command);
    });
    // The certificate of a participant, which it has before it asks anything.
    await authority.client(sandboxIspb(tenantId));
    return { tenantId, expected: historyOf(fold(tenantId, journal, Date.now())).length };
  };
  const polling = (tenants: number) => async () => {
    const due = await Promise.all(Array.from({ length: tenants }, () => simulate(recoveries / tenants)));
    const [cpu, begun] = [process.cpuUsage(), performance.now()];
    await Promise.all(due.map(({ tenantId }) => ingestion.pollNow(tenantId)));
    const [seconds, { user, system }] = [(performance.now() - begun) / 1000, process.cpuUsage(cpu)];
    const events = due.reduce((sum, one) => sum + one.expected, 0);
    const rows = await fixture.sql<{ id: string; last: number }>(
      `SELECT tenant_id AS id, last_seq AS last FROM fr_feed WHERE env = 'sandbox'`,
    );
    const published = new Map(rows.map(({ id, last }) => [id, last]));
    for (const { tenantId, expected } of due) missing += Math.abs(expected - Number(published.get(tenantId)));
    return { perSecond: events / seconds, cpuMicroseconds: (user + system) / events };
  };
  const contenders = { 'one tenant': polling(1), [`${MANY_TENANTS} tenants`]: polling(MANY_TENANTS) };
  if (warmUpSeconds > 0) await alternate(1, contenders, () => say('ingestion: warming up …'));
  const raw = await alternate(rounds, contenders, (round) => say(`ingestion, round ${round} of ${rounds} …`));
  return [
    {
      title: 'Funds-recovery feed: from the directory into it',
      raw,
      rows: [
        ...Object.entries(raw).map(
          ([who, turns]): Row => [
            `over mutual TLS, pages of 200, ${who}`,
            amount(
              median(turns.map((one) => one.perSecond)),
              `events/s, ${round(median(turns.map((one) => one.cpuMicroseconds)))} µs CPU`,
            ),
          ],
        ),
        ['events lost or doubled', amount(missing, '', String(missing)), '≤ 0'],
      ],
    },
  ];
}

if (import.meta.main) serve(playDirectory);
