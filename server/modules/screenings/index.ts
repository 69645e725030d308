/**
 * Screenings: who was compared with which watch lists, and what was found.
 *
 * `screen.ts` says who is screened, against what, and keeps the result; `loaded-lists.ts` keeps the engine (server/screening) at the lists that are active: it builds their
 * index in a thread, keeps it on disk and swaps it; `lists.ts` tells which lists there are and how old they are, and `list-alarm.ts` says so to the operators; `present.ts` shows a screening to a reader. `simulated-entry-store.ts` keeps entries that a tenant has simulated on the lists of its sandbox, each for the screenings of one application. `bands.ts` says by the lines of the profile what is a hit and how strong it is. `preview.ts` tells what a new version of a list would change for those who were screened. `adjudicate.ts` decides about a hit, by one person or two, in a ledger of its own (`decision-store.ts`), `allowlist.ts` dismisses for other applications of the same person who was found to be somebody else, `dismissals.ts` says what a dismissal holds for and how many people it takes, `follow-hits.ts` brings alerts to the state of hits, `tell-of-freeze.ts` writes to the compliance officers when somebody on the list of the United Nations is confirmed, and `carry-over.ts` says which decisions hold for the hits of the next screening. The subject of a screening and the
 * reasons of its hits are sealed under the key of the application, so that an erasure makes them unreadable, or under a key of the screening. It may use applications, second-review, subscriptions, subject-keys, tenant-settings,
 * watch-lists, identity, request, database, rules and the mail.
 *
 * `POST /v1/screenings`: `screen` reads the application if one is named, the settings and the active versions of the lists, and refuses lists that are unknown or were never imported.
 * `LoadedLists.ready` has the index of these versions, and the thread of the engine searches it while the request waits. Screening and hits are stored with the
 * versions that were searched; the entity of a hit is read from the watch list as it was in that version, and the score is told in reasons that follow from the kept judgement.
 */
import type { Module } from '../../tasks/module.ts';
import { allowlistDue } from './allowlist.ts';
import { screeningHandlers } from './handlers.ts';
import { listAlarmJob } from './list-alarm.ts';

export { leastAlert, linesFor } from './bands.ts';
export { ListAlarm } from './list-alarm.ts';
export { screeningLists } from './lists.ts';
export { LoadedLists } from './loaded-lists.ts';
export { complianceOfficers } from './officer-store.ts';
export { type PreviewedChange, previewList, previewRelease } from './preview.ts';
export { rescreen, type Screened } from './screen.ts';
export { simulatedEntries, simulateEntry } from './simulated-entry-store.ts';
export { searchedSubject } from './subject.ts';
export { macOf, screening, screeningHit } from './store.ts';

export const screeningsModule = {
  name: 'screenings',
  handlers: screeningHandlers,
  dues: [allowlistDue],
  jobs: [listAlarmJob],
} satisfies Module<never>;
