import { Registry } from 'prom-client';
import { createLog } from '../../../server/base/log.ts';
import { connectDatabase, createTenant, type Database, knex, uuidv7 } from '../../../server/database/index.ts';
import { standardStageLimits } from '../../../server/modules/recoveries/recovery.ts';
import { IngestionAlarm } from '../../../server/modules/recovery-ingestion/context.ts';
import { Ingestion } from '../../../server/modules/recovery-ingestion/ingestion.ts';
import { ConfiguredParticipants } from '../../../server/modules/recovery-ingestion/participants.ts';
import { appendCommand, fold, historyOf, sandboxIspb } from '../../../server/simulators/directory/index.ts';
import { withJobLock } from '../../../server/tasks/store.ts';
import { alternate } from '../rounds.ts';
import type { Laboratory } from '../whole-path/laboratory.ts';
import { endedCourses } from './courses.ts';
import { deriving, publishing, type Speed } from './deriving.ts';
import { type SimulatedDirectory, startDirectory } from './directory/index.ts';

export interface IngestionFigures {
  readonly oneTenant: readonly Speed[];
  readonly manyTenants: readonly Speed[];
  /** Without a directory and a database, and without a directory. */
  readonly deriving: readonly Speed[];
  readonly publishing: readonly Speed[];
  /** Events that should have been published, less those that were: both ways a mistake. */
  readonly missing: number;
}

export const MANY = 8;

/**
 * From the simulated directory, which stands in a process of its own, over mutual TLS to the feed: recoveries that have
 * ended when they are first seen, so that every turn finds as much work as it can do.
 */
export async function measureIngestion(laboratory: Laboratory, order: { readonly rounds: number; readonly recoveries: number }, say: (line: string) => void): Promise<IngestionFigures> {
  const { location, secret, secrets, folder } = laboratory;
  const log = createLog('error');
  const database = connectDatabase(location, secrets, { kind: 'external', poolSize: 8, log, stop: async () => {} });
  const directory = await startDirectory({ location, secret, dataDir: folder });
  const ingestion = new Ingestion({
    database, log, clock: () => new Date(), limits: standardStageLimits, alarm: new IngestionAlarm(new Registry(), log),
    participants: new ConfiguredParticipants(database, { directory: directory.client, ispbOf: sandboxIspb }, null),
    lead: (name, work) => withJobLock(database, name, work),
  });
  let missing = 0;
  const turn = (tenants: number) => async (): Promise<Speed> => {
    const due = await Promise.all(Array.from({ length: tenants }, () => prepare(database, directory, order.recoveries / tenants)));
    const cpu = process.cpuUsage();
    const begun = performance.now();
    await Promise.all(due.map(({ tenantId }) => ingestion.pollNow(tenantId)));
    const seconds = (performance.now() - begun) / 1000;
    const { user, system } = process.cpuUsage(cpu);
    const events = (await Promise.all(due.map(({ tenantId }) => published(database, tenantId)))).reduce((one, other) => one + other, 0);
    missing += Math.abs(due.reduce((sum, { expected }) => sum + expected, 0) - events);
    return { events, perSecond: events / seconds, cpuMicroseconds: (user + system) / events };
  };
  try {
    const contenders = {
      oneTenant: turn(1), manyTenants: turn(MANY),
      deriving: () => deriving(order.recoveries),
      publishing: async () => publishing(database, await addTenant(database), order.recoveries),
    };
    await alternate(1, contenders, () => say('warming up the ingestion …'));
    const figures = await alternate(order.rounds, contenders, (round) => say(`ingestion, round ${round} of ${order.rounds} …`));
    return { ...figures, missing };
  } finally {
    await ingestion.stop();
    await directory.stop();
    await database.close();
  }
}

interface Due {
  readonly tenantId: string;
  readonly expected: number;
}

async function prepare(database: Database, directory: SimulatedDirectory, recoveries: number): Promise<Due> {
  const tenantId = await addTenant(database);
  await directory.admit(sandboxIspb(tenantId));
  const journal = endedCourses(recoveries, new Date());
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
