import { isDeepStrictEqual } from 'node:util';
import { areComparable } from '../../rules/comparable-names.ts';
import { isWatchList, OWN_LIST, watchListOf } from '../watch-lists/index.ts';
import type { ApplicationRecord } from './application.ts';
import { screenedApplicant, type ScreeningEvidence } from './screening-store.ts';

/** The newest screening of the applicant; null if there is none. */
export type NewestScreening = Omit<ScreeningEvidence, 'id' | 'result' | 'hitCount'> | null;

/** An applicant, their newest screening, and the lists against which the settings have everybody screened. */
interface Covered extends Pick<ApplicationRecord, 'applicant'> {
  readonly screening: NewestScreening;
  readonly screenedLists: readonly string[];
}

type Gap = 'not_established' | 'name_not_comparable' | 'screening_outdated' | 'screening_partial';

/** Why the newest screening does not cover the applicant as the settings ask; null if it does. */
export function gapOf({ applicant, screening, screenedLists }: Covered): Gap | null {
  if (screening === null) return 'not_established';
  if (!areComparable(screening.subject.names)) return 'name_not_comparable';
  if (!isDeepStrictEqual(screening.subject, screenedApplicant(applicant))) return 'screening_outdated';
  return isPartial(screening, screenedLists) ? 'screening_partial' : null;
}

type Applicant = Pick<ApplicationRecord, 'applicant'>;
interface Coverage {
  readonly screening: NewestScreening;
  readonly policy: { readonly screenedLists: readonly string[] };
}

/** Whether a screening covers the applicant as they are now, by all that the settings search. */
export function isScreened({ applicant }: Applicant, { screening, policy: { screenedLists } }: Coverage): boolean {
  return gapOf({ applicant, screening, screenedLists }) === null;
}

/**
 * The lists with hits that wait for a decision. A screening of somebody else, of fewer lists or by a higher threshold takes none of the earlier hits away; one that covers the applicant as they are now does.
 */
function openLists(given: Covered): readonly string[] {
  const { screening } = given;
  if (screening === null) return [];
  return gapOf(given) === null ? screening.openLists : screening.everOpenLists;
}

/** Whether hits wait for a decision. Nobody has decided about those that a truncated screening does not show. */
export function hasOpenHits({ applicant }: Applicant, { screening, policy: { screenedLists } }: Coverage): boolean {
  return openLists({ applicant, screening, screenedLists }).length > 0 || screening?.truncated === true;
}

/** Whether the applicant may be somebody on a list that binds everybody, such as that of the United Nations: nothing is approved until a person has decided about the hit (Lei 13.810/2019). */
export function hasOpenMandatoryHit(given: Covered): boolean {
  return openLists(given).some((listId) => isWatchList(listId) && watchListOf(listId).isMandatory);
}

/** Whoever asks decides what is searched; a search of fewer lists, or by less, than the settings ask of everybody establishes nothing. */
function isPartial({ lists, hasOwnList, lines, criteria: { threshold = 0, includeRca, includeFormerPep } }: NonNullable<NewestScreening>, screenedLists: readonly string[]): boolean {
  const leastAlert = lines === null ? 1 : Math.min(...Object.values(lines).map(({ alert }) => alert));
  const asked = hasOwnList ? [...screenedLists, OWN_LIST] : screenedLists;
  return threshold > leastAlert || !includeRca || !includeFormerPep || !asked.every((wanted) => lists.some(({ listId }) => listId === wanted));
}
