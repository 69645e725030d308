/**
 * Hears of the erasure of a business and ends the second reviews of its drafts, because nobody can read what they say
 * any more. The receipts of its branches name its people and rest on its powers, so they are emptied. Registered by the
 * index of the module.
 */
import { endReview } from '../second-review/index.ts';
import type { SubjectListener } from '../subject-events/index.ts';
import { emptyReceiptsOfBranches } from './evaluation-store.ts';
import { listPowers } from './power-store.ts';

export const erasureListener: SubjectListener<'subject.erased'> = {
  event: 'subject.erased',
  hear: async (tx, { subject, at }) => {
    if (subject.kind !== 'business') return;
    for (const { status, reviewId } of await listPowers(tx, subject.id))
      if (status === 'draft') endReview(tx, { type: 'power', id: reviewId }, at);
    emptyReceiptsOfBranches(tx, subject.id, at);
  },
};
