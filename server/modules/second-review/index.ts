/**
 * Second review: a proposal of one person takes effect if another person agrees who has read the same evidence. A
 * review belongs to a record of another module, by its type and its id, and stores the maker, the evidence digest and
 * the result. Maker and checker are people: whoever created a key, or granted it, counts as the maker of a proposal by
 * that key, and the database refuses a row in which maker and checker are the same.
 *
 * The module may use identity, database and contract, and no other module.
 *
 * `POST …/decisions/{id}/review`: applications calls `review` with the digest of the current evidence. A proposal that
 * rests on other evidence ends (`stale`), a checker who has read other evidence gets `unread`, and of many simultaneous
 * verdicts one counts, because the row is locked.
 */
import type { Module } from '../../tasks/module.ts';

export { requestReview, renewReview, endReview, review } from './second-review.ts';
export { eraseReviewNotes, findReview, secondReview, type ShownReview } from './store.ts';

export const secondReviewModule = { name: 'second-review' } satisfies Module<never>;
