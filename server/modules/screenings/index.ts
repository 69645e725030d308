/**
 * Screenings: comparisons of subjects with watch lists, and their hits.
 *
 * `screen.ts` selects the subject and the lists, and stores the result; `loaded-lists.ts` keeps the engine
 * (server/screening) at the active lists: it builds their index in a thread, caches it on disk and swaps it in;
 * `lists.ts` returns the available lists and their age, and `list-alarm.ts` warns the operators about outdated ones;
 * `line-estimator.ts` estimates in the background what each line finds on them, and `estimate.ts` shows it;
 * `present.ts` presents a screening to a reader. `simulated-entry-store.ts` stores entries that a tenant has simulated
 * on the lists of its sandbox, each for the screenings of one application. `bands.ts` decides by the lines of the
 * profile what is a hit and how strong it is. `preview.ts` shows what a new version of a list would change for screened
 * subjects. `adjudicate.ts` decides about a hit, by one person or two, in a ledger of its own (`decision-store.ts`),
 * `allowlist.ts` dismisses an entity for other applications of a subject who was found not to be that entity,
 * `dismissals.ts` defines the bounds of a dismissal and how many people it takes, `publish-hits.ts` publishes what
 * happened to hits, `notify-of-freeze.ts` writes to the compliance officers if a hit on the list of the United Nations
 * is confirmed, and `carry-over.ts` decides which decisions apply to the hits of the next screening. The subject of a
 * screening and the reasons of its hits are sealed under the key of the application, so that an erasure makes them
 * unreadable, or under a key of the screening.
 *
 * The module may use applications, second-review, subject-events, subject-keys, tenant-settings, watch-lists, identity,
 * request, database, rules and the mail.
 *
 * `POST /v1/screenings`: `screen` reads the application if the request names one, the settings and the active versions
 * of the lists, and rejects lists that are unknown or were never imported. `LoadedLists.ready` returns the index of
 * these versions, and the thread of the engine searches it while the request waits. Screening and hits are stored with
 * the searched versions; the entity of a hit is read from the watch list in that version, and the score is explained by
 * reasons that follow from the stored judgement.
 */
import type { Module } from '../../tasks/module.ts';
import { allowlistDue } from './allowlist.ts';
import { screeningHandlers } from './handlers.ts';
import { estimateJob } from './line-estimator.ts';
import { listAlarmJob } from './list-alarm.ts';
import { hitWork } from './work.ts';

export { bandOf, leastAlert, linesFor } from './bands.ts';
export { freezeDueOfHit } from './freeze-store.ts';
export { type EstimateLimits, LineEstimator } from './line-estimator.ts';
export { ListAlarm } from './list-alarm.ts';
export { screeningLists } from './lists.ts';
export { LoadedLists } from './loaded-lists.ts';
export { complianceOfficers } from './officer-store.ts';
export { type PreviewedChange, previewList, previewRelease } from './preview.ts';
export { type Screened } from './run-screening.ts';
export { rescreen } from './screen.ts';
export { simulatedEntries, simulateEntry } from './simulated-entry-store.ts';
export { searchedSubject } from './subject.ts';
export { findScreening, type HitRecord, macOf, screening, screeningHit, type ScreeningRecord } from './store.ts';

export const screeningsModule = {
  name: 'screenings',
  handlers: screeningHandlers,
  dues: [allowlistDue],
  jobs: [listAlarmJob, estimateJob],
  work: hitWork,
} satisfies Module<never>;
