/**
 * The lookups that the operations of this module use: screenings, allow-list entries and applications. Every record
 * that a request names must be found through them, because they check tenant, environment and visibility. Answers 410
 * once the subject is erased.
 */
import { Problem } from '../../contract/problem.ts';
import { type Access, lockingLookupOf, lookupOf } from '../../request/lookup.ts';
import { applicationLookups } from '../applications/index.ts';
import { lockEntry } from './allowlist-store.ts';
import { findStored, type FoundScreening, type StoredScreening } from './store.ts';

const ofScreening = ({ screening }: StoredScreening): FoundScreening | 'erased' => screening;

/** Finds the records that the operations of screenings name. */
export const lookup = (access: Access) => ({
  ...applicationLookups(access),

  /** A screening never changes. Decisions about its hits lock its subject, after entries of the allow-list. */
  screening: (id: string) => lookupOf(access, { find: () => findStored(access.tx, id), unerased: ofScreening }),

  /** Screening of a subject without an application. The others are erased with their application. */
  ownScreening: (id: string) =>
    lookupOf(access, {
      find: () => findStored(access.tx, id),
      unerased: (stored) => {
        const found = ofScreening(stored);
        if (found !== 'erased' && found.record.applicationId !== null) throw new Problem('screening_of_application');
        return found;
      },
    }),

  /** Entry of the allow-list. An erasure leaves nothing of it. */
  allowlistEntry: (id: string) =>
    lockingLookupOf(access, { lock: () => lockEntry(access.tx, id), unerased: (entry) => entry }),
});
