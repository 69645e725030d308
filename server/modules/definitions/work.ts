import { workParameters } from '../../tasks/work-store.ts';
import { reviewsProposals, type WorkEntry } from '../../tasks/work.ts';
import { listActivationsToReview } from './work-store.ts';

/** Activations that others have requested and the caller may review. */
export const activationWork: readonly WorkEntry[] = [
  {
    kind: 'activation',
    list: async (tx, query) =>
      reviewsProposals(query.caller) ? tx.run(listActivationsToReview, workParameters(tx, query)) : [],
  },
];
