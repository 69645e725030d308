import { workParameters } from '../../tasks/work-store.ts';
import { reviewsProposals, type WorkEntry } from '../../tasks/work.ts';
import { listDecisionsToReview } from './work-store.ts';

/** Decisions of others that the caller may review. One that a case carries is reviewed with the resolution. */
export const decisionWork: readonly WorkEntry[] = [
  {
    kind: 'decision',
    list: async (tx, query) =>
      reviewsProposals(query.caller) ? tx.run(listDecisionsToReview, workParameters(tx, query)) : [],
  },
];
