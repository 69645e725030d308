/**
 * Requests a second review, and ends it by the verdict of another person. Called, through the index, by decisions,
 * screenings, definitions and list-uploads. The maker, and whoever stands behind the maker's key, cannot be the checker
 * (`self_approval_forbidden`).
 */
import { uuidv7 } from '../../base/uuid.ts';
import { actorOf, type AnyPrincipal, type Environment, type UserPrincipal } from '../../contract/operation.ts';
import { Problem } from '../../contract/problem.ts';
import type { Transaction } from '../../database/index.ts';
import { closeReview, insertReview, lockReview, personsOfKeys, type ReviewSubject } from './store.ts';

interface Proposal {
  readonly environment: Environment;
  readonly subject: ReviewSubject;
  /** Digest of the evidence that the proposal rests on. */
  readonly digest: string;
  readonly maker: AnyPrincipal;
  /** Time on the clock of the proposal's records, which may be the platform's. */
  readonly now: Date;
}

/**
 * Queues a proposal for second review. The people who may not review it are recorded now, because rights over a key may
 * change before the review.
 */
export async function requestReview(tx: Transaction, proposal: Proposal): Promise<void> {
  queue(tx, proposal, await personsBehind(tx, proposal.maker));
}

/**
 * Queues a changed proposal in place of an earlier one, whose review ends. Whoever made the earlier one may not review
 * the changed one either.
 */
export async function renewReview(tx: Transaction, earlier: ReviewSubject, proposal: Proposal): Promise<void> {
  const before = await lockReview(tx, earlier);
  endReview(tx, earlier, proposal.now);
  const persons = await personsBehind(tx, proposal.maker);
  queue(tx, proposal, [...new Set([...(before?.makerPersons ?? []), ...persons])]);
}

function queue(
  tx: Transaction,
  { environment, subject, digest, maker, now }: Proposal,
  makerPersons: readonly string[],
): void {
  insertReview(tx, {
    tenantId: tx.tenantId!,
    id: uuidv7(),
    environment,
    subjectType: subject.type,
    subjectId: subject.id,
    maker: actorOf(maker),
    makerPersons,
    digest,
    createdAt: now,
  });
}

/**
 * Returns the people who count as the maker. For a key, these are all who created or granted it, or the key that
 * created it.
 */
async function personsBehind(tx: Transaction, maker: AnyPrincipal): Promise<string[]> {
  return maker.kind === 'user' ? [maker.userId] : personsOfKeys(tx, [maker.client, maker.quotaOf]);
}

interface Verdict {
  readonly verdict: 'confirm' | 'return';
  /** Digest of the evidence that the checker has read. */
  readonly digest: string;
  readonly note: string | null;
  readonly checker: UserPrincipal;
  readonly now: Date;
}

/**
 * Result of a review. `stale`: the proposal does not rest on the current evidence, so it cannot be confirmed any more.
 */
type Review = 'confirmed' | 'returned' | 'stale';

/**
 * Ends a review by the verdict of a second person about the current evidence, identified by its digest. Rejects the
 * maker. Returns `unread` if the checker has read other evidence.
 */
export async function review(
  tx: Transaction,
  subject: ReviewSubject,
  current: string,
  { verdict, digest, note, checker, now }: Verdict,
): Promise<Review | 'not_pending' | 'unread'> {
  const pending = await lockReview(tx, subject);
  if (pending?.state !== 'pending') return 'not_pending';
  if (pending.makerPersons.includes(checker.userId)) throw new Problem('self_approval_forbidden');
  if (pending.digest !== current) {
    endReview(tx, subject, now);
    return 'stale';
  }
  if (digest !== current) return 'unread';
  const state = verdict === 'confirm' ? 'confirmed' : 'returned';
  closeReview(tx, subject, {
    state,
    checker: actorOf(checker),
    note,
    now,
  });
  return state;
}

/** Ends a pending review without a verdict, because the proposal is no longer valid. */
export function endReview(tx: Transaction, subject: ReviewSubject, now: Date): void {
  closeReview(tx, subject, {
    state: 'invalidated',
    checker: null,
    note: null,
    now,
  });
}
