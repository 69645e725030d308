import type { FairTurns } from './base/fair-turns.ts';
import type { Inspector } from './modules/documents/index.ts';
import type { MonitoredSubjects, MonitoringAlarm } from './modules/monitoring/index.ts';
import type { FeedAlarm } from './modules/recovery-feed/index.ts';
import type { Ingestion } from './modules/recovery-ingestion/index.ts';
import type { ListAlarm, LoadedLists } from './modules/screenings/index.ts';
import type { ListFetcher } from './modules/watch-lists/index.ts';
import type { Services } from './request/services.ts';
import type { DirectorySimulator } from './simulators/directory/index.ts';

/** All objects that live as long as the process: those that every module may use, and those that belong to one module or to the simulators. */
export interface AppServices extends Services {
  /** The engine that screens names, at the lists that are active. */
  readonly watchLists: LoadedLists;
  /** Who works on screenings now: requests and tasks of all tenants share these turns, because they share the processors. */
  readonly turns: FairTurns;
  /** Finds whom a changed entry of a watch list may concern. */
  readonly monitored: MonitoredSubjects;
  /** Fetches watch lists from their publishers. */
  readonly listFetcher: ListFetcher;
  /** Says when a watch list is out of date. */
  readonly listAlarm: ListAlarm;
  /** Says when applicants who are monitored cannot be compared. */
  readonly monitoringAlarm: MonitoringAlarm;
  /** Recognises uploaded files. */
  readonly inspector: Inspector;
  /** The state of the event feeds; raised when one has a gap. */
  readonly feedAlarm: FeedAlarm;
  /** The directory of the sandboxes; null when this process does not run it. */
  readonly directorySimulator: DirectorySimulator | null;
  /** Reads recoveries from the directories. Tell it, after the commit, what has happened in a sandbox. */
  readonly ingestion: Ingestion;
}
