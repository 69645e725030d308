/**
 * The type of all objects that live as long as the process. Built by server/start.ts. Modules must not import it; they
 * name what they need.
 */
import type { FairQueue } from './base/fair-queue.ts';
import type { Inspector } from './modules/documents/index.ts';
import type { MonitoredSubjects, MonitoringAlarm } from './modules/monitoring/index.ts';
import type { FeedAlarm } from './modules/recovery-feed/index.ts';
import type { Ingestion } from './modules/recovery-ingestion/index.ts';
import type { LineEstimator, ListAlarm, LoadedLists } from './modules/screenings/index.ts';
import type { ListFetcher } from './modules/watch-lists/index.ts';
import type { InstalledProviders } from './providers/verification/index.ts';
import type { WorkArrivals } from './modules/workflows/index.ts';
import type { Services } from './request/services.ts';
import type { DirectorySimulator } from './simulators/directory/index.ts';

/**
 * All objects that live as long as the process: those that every module may use, and those that belong to one module or
 * to the simulators.
 */
export interface AppServices extends Services {
  /** Engine that screens names against the active lists. */
  readonly watchLists: LoadedLists;
  /** Queue for work on screenings. Requests and tasks of all tenants share it, because they share the processors. */
  readonly fairQueue: FairQueue;
  /** Finds the subjects that a changed entry of a watch list may concern. */
  readonly monitored: MonitoredSubjects;
  /** Fetches watch lists from their publishers. */
  readonly listFetcher: ListFetcher;
  /** Estimates what each line finds on the loaded lists. */
  readonly lineEstimator: LineEstimator;
  /** Alerts if a watch list is out of date. */
  readonly listAlarm: ListAlarm;
  /** Alerts if monitored applicants cannot be compared. */
  readonly monitoringAlarm: MonitoringAlarm;
  /** Recognises uploaded files. */
  readonly inspector: Inspector;
  /** Providers of verifications that this installation has. */
  readonly verificationProviders: InstalledProviders;
  /** State of the event feeds; raised if one has a gap. */
  readonly feedAlarm: FeedAlarm;
  /** Directory of the sandboxes; null if this process does not run it. */
  readonly directorySimulator: DirectorySimulator | null;
  /** Reads recoveries from the directories. Code that changes a sandbox must notify it after the commit. */
  readonly ingestion: Ingestion;
  /** Tells workers that wait of work for processes. */
  readonly workArrivals: WorkArrivals;
}
