/**
 * Second review: what one person proposes takes effect when another one agrees who has read the same.
 *
 * A review belongs to something of another module, by its kind and its id, and knows who made it, on what (a digest), and what
 * became of it. Maker and checker are people: whoever created a key, or answers for it, counts as the one who proposed by it, and
 * the database refuses a row in which they are the same. It may use identity, database and contract, and no other module.
 *
 * `POST …/decisions/{id}/review`: applications calls `review` with the digest of the evidence as it is now. A proposal that
 * rests on something else is over (`stale`), a checker who has read something else is told so (`unread`), and of many verdicts
 * at once one counts, because the row is locked.
 */
import type { Module } from '../../tasks/module.ts';

export { askForReview, endReview, review } from './second-review.ts';
export { eraseReviewNotes, secondReview } from './store.ts';

export const secondReviewModule = { name: 'second-review' } satisfies Module<never>;
