import { type Database, uuidv7 } from '../../../server/database/index.ts';
import { applyObservations } from '../../../server/modules/recoveries/apply-observations.ts';
import { derive } from '../../../server/modules/recoveries/derive.ts';
import type { Observation } from '../../../server/modules/recoveries/observation.ts';
import { standardStageLimits } from '../../../server/modules/recoveries/recovery.ts';
import { lockRecordWriters } from '../../../server/modules/recoveries/store.ts';
import { observe, provenance } from '../../../server/modules/recovery-ingestion/observe.ts';
import { fold, sandboxIspb } from '../../../server/simulators/directory/index.ts';
import { FoldedDirectory } from '../../../test/support/folded-directory.ts';
import { endedCourses } from './courses.ts';

export interface Speed {
  readonly events: number;
  readonly perSecond: number;
  /** Of this process alone. */
  readonly cpuMicroseconds: number;
}

/** As many recoveries as a page of 200 notifications is about. */
const PAGE = 50;

/** The pure part: from what was read of recoveries to their events. */
export async function deriving(recoveries: number): Promise<Speed> {
  const observations = await observationsOf(uuidv7(), recoveries);
  return timed(() => observations.reduce((sum, seen) => sum + derive(null, seen, standardStageLimits).events.length, 0));
}

/** Deriving, saving the records and publishing, a transaction for each page. */
export async function publishing(database: Database, tenantId: string, recoveries: number): Promise<Speed> {
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

/** The events of one recovery after another, as they stand in a feed. */
export async function sampleEvents(recoveries: number) {
  return (await observationsOf(uuidv7(), recoveries)).flatMap((seen) => derive(null, seen, standardStageLimits).events);
}

async function observationsOf(tenantId: string, recoveries: number): Promise<Observation[]> {
  const at = new Date();
  const state = fold(tenantId, endedCourses(recoveries, at), at.getTime());
  const ispb = sandboxIspb(tenantId);
  const participant = {
    env: 'sandbox', ispb, tenantId, directory: new FoldedDirectory(() => state, { pageSize: Infinity }), source: 'DICT_SIMULATOR', members: new Map([[ispb, tenantId]]), includeIndirect: false,
  } as const;
  const { notifications, ...envelope } = await participant.directory.listEventNotifications(ispb, { cursor: null });
  const page = provenance(participant, envelope, at);
  const observed = await Promise.all([...Map.groupBy(notifications, ({ EntityId }) => EntityId)].map(([id, own]) =>
    observe(participant, id, { ispb, at, known: null, notifications: own, page })));
  return observed.filter((one) => one !== null);
}

async function timed(work: () => number | Promise<number>): Promise<Speed> {
  const cpu = process.cpuUsage();
  const begun = performance.now();
  const events = await work();
  const seconds = (performance.now() - begun) / 1000;
  const { user, system } = process.cpuUsage(cpu);
  return { events, perSecond: events / seconds, cpuMicroseconds: (user + system) / events };
}
