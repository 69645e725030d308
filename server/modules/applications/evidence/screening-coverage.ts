/**
 * Whether the newest screening covers the applicant as the tenant's settings demand, without input or output. Used by
 * the requirement about screenings, by decisions and by signals. A screening of older data, of fewer lists or with a
 * higher threshold must not count, and must not hide earlier hits.
 */
import { isDeepStrictEqual } from 'node:util';
import { areComparable } from '../../../rules/comparable-names.ts';
import { isWatchList, OWN_LIST, watchListOf } from '../../watch-lists/index.ts';
import type { ApplicationRecord } from '../record/application.ts';
import { screenedApplicant, type ScreeningEvidence } from './screening-store.ts';

/** Newest screening of the applicant; null if there is none. */
export type NewestScreening = Omit<ScreeningEvidence, 'id' | 'result' | 'hitCount'> | null;

/**
 * An applicant, their newest screening, and the lists against which the settings demand that all applicants are
 * screened.
 */
interface Covered extends Pick<ApplicationRecord, 'applicant'> {
  readonly screening: NewestScreening;
  readonly screenedLists: readonly string[];
}

type Gap = 'not_established' | 'name_not_comparable' | 'screening_outdated' | 'screening_partial';

/** Returns why the newest screening does not cover the applicant as the settings demand; null if it does. */
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

/**
 * Returns whether the newest screening covers the current data of the applicant and all lists that the settings demand.
 */
export function isScreened({ applicant }: Applicant, { screening, policy: { screenedLists } }: Coverage): boolean {
  return gapOf({ applicant, screening, screenedLists }) === null;
}

/**
 * Returns the lists with hits that wait for a decision. Earlier hits count until a screening covers the current data of
 * the applicant: one of other data, of fewer lists or with a higher threshold does not remove them.
 */
function openLists(covered: Covered): readonly string[] {
  const { screening } = covered;
  if (screening === null) return [];
  return gapOf(covered) === null ? screening.openLists : screening.everOpenLists;
}

/**
 * Returns whether hits wait for a decision. A truncated screening counts as open, because it does not show all hits and
 * nobody can have decided about the others.
 */
export function hasOpenHits({ applicant }: Applicant, { screening, policy: { screenedLists } }: Coverage): boolean {
  return openLists({ applicant, screening, screenedLists }).length > 0 || screening?.truncated === true;
}

/**
 * Returns whether a hit on a mandatory list, such as that of the United Nations, is open. No application is approved
 * until a person has decided about such a hit (Lei 13.810/2019).
 */
export function hasOpenMandatoryHit(covered: Covered): boolean {
  return openLists(covered).some((listId) => isWatchList(listId) && watchListOf(listId).isMandatory);
}

/**
 * Returns whether a screening searched fewer lists, or searched them less strictly, than the settings demand. The
 * request chooses lists and criteria, and such a screening establishes nothing.
 */
function isPartial(
  { lists, hasOwnList, lines, criteria: { threshold = 0, includeRca, includeFormerPep } }: NonNullable<NewestScreening>,
  screenedLists: readonly string[],
): boolean {
  const leastAlert = lines === null ? 1 : Math.min(...Object.values(lines).map(({ alert }) => alert));
  const requiredLists = hasOwnList ? [...screenedLists, OWN_LIST] : screenedLists;
  return (
    threshold > leastAlert ||
    !includeRca ||
    !includeFormerPep ||
    !requiredLists.every((required) => lists.some(({ listId }) => listId === required))
  );
}
