/**
 * The lookups of verifications and challenges by the ids that requests name. Used by the handlers and the rules of this
 * module. Everything else that reads these rows works without a caller.
 */
import { type Access, lookupOf } from '../../request/lookup.ts';
import { applicationLookups } from '../applications/index.ts';
import { type ChallengeRow, findChallenge } from './challenge-store.ts';
import { findVerification, isReadable, type ReadableRow, type VerificationRow } from './store.ts';

/**
 * Finds the records that the operations of verifications name. Changes of a verification or a challenge lock its
 * application first, so that no lock on the rows is needed.
 */
export const lookup = (access: Access) => ({
  ...applicationLookups(access),

  verification: (id: string) =>
    lookupOf(access, {
      find: () => findVerification(access.tx, id),
      unerased: (row: VerificationRow): ReadableRow | 'erased' => (isReadable(row) ? row : 'erased'),
    }),

  challenge: (id: string) =>
    lookupOf(access, {
      find: () => findChallenge(access.tx, id),
      unerased: ({ wrapped, ...challenge }: ChallengeRow) => (wrapped === null ? 'erased' : challenge),
    }),
});
