import { uuidv7 } from '../../base/uuid.ts';
import { actorOf, type AnyPrincipal, type Environment, type UserPrincipal } from '../../contract/operation.ts';
import { Problem } from '../../contract/problem.ts';
import type { Transaction } from '../../database/index.ts';
import { closeReview, insertReview, lockReview, personsOfKeys, type ReviewSubject } from './store.ts';

interface Proposal {
  readonly environment: Environment;
  readonly subject: ReviewSubject;
  /** The digest of what the proposal rests on. */
  readonly digest: string;
  readonly maker: AnyPrincipal;
  readonly now: Date;
}

/** Asks for a second person. Who that may not be is settled here: rights over a key may change before somebody looks. */
export async function askForReview(tx: Transaction, { environment, subject, digest, maker, now }: Proposal): Promise<void> {
  insertReview(tx, {
    tenantId: tx.tenantId!, id: uuidv7(), environment, subjectType: subject.type, subjectId: subject.id, maker: actorOf(maker), makerPersons: await personsBehind(tx, maker),
    digest, createdAt: now,
  });
}

/** The people who count as the one who proposed: of a key everybody who created or answers for it, or for the key that it was created by. */
async function personsBehind(tx: Transaction, maker: AnyPrincipal): Promise<string[]> {
  return maker.kind === 'user' ? [maker.userId] : personsOfKeys(tx, [maker.client, maker.quotaOf]);
}

interface Verdict {
  readonly verdict: 'confirm' | 'return';
  /** The digest of what the checker has read. */
  readonly digest: string;
  readonly note: string | null;
  readonly checker: UserPrincipal;
  readonly now: Date;
}

/** What a verdict came to. `stale`: the proposal does not rest on what there is now, so nobody can confirm it any more. */
type Review = 'confirmed' | 'returned' | 'stale';

/**
 * Ends a review by a second person's verdict about what there is now, by its digest. Refused to whoever proposed it; `unread`
 * where the checker has read something else.
 */
export async function review(tx: Transaction, subject: ReviewSubject, current: string, { verdict, digest, note, checker, now }: Verdict): Promise<Review | 'not_pending' | 'unread'> {
  const pending = await lockReview(tx, subject);
  if (pending?.state !== 'pending') return 'not_pending';
  if (pending.makerPersons.includes(checker.userId)) throw new Problem('self_approval_forbidden');
  if (pending.digest !== current) {
    endReview(tx, subject, now);
    return 'stale';
  }
  if (digest !== current) return 'unread';
  const state = verdict === 'confirm' ? 'confirmed' : 'returned';
  closeReview(tx, subject, { state, checker: actorOf(checker), note, now });
  return state;
}

/** Ends a pending review without a verdict: what was proposed no longer stands. */
export function endReview(tx: Transaction, subject: ReviewSubject, now: Date): void {
  closeReview(tx, subject, { state: 'invalidated', checker: null, note: null, now });
}
