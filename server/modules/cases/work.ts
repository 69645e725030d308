import { workParameters } from '../../tasks/work-store.ts';
import { reviewsProposals, type WorkEntry } from '../../tasks/work.ts';
import { listOwnCases, listResolutionsToReview } from './work-store.ts';

/** Cases of the caller that are not on hold, and resolutions of others that the caller may review. */
export const caseWork: readonly WorkEntry[] = [
  { kind: 'case', list: (tx, query) => tx.run(listOwnCases, workParameters(tx, query)) },
  {
    kind: 'resolution',
    list: async (tx, query) =>
      reviewsProposals(query.caller) ? tx.run(listResolutionsToReview, workParameters(tx, query)) : [],
  },
];
