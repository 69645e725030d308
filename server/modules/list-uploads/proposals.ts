/**
 * Confirmation of a list that removes or changes much, by a second administrator who sends the same file. Called by the
 * upload and the handlers. The administrator who proposed a file cannot confirm it; a proposal for another predecessor
 * does not count.
 */
import type { RealTime } from '../../base/time.ts';
import { createHash } from 'node:crypto';
import { canonicalJson } from '../../base/canonical-json.ts';
import { uuidv7 } from '../../base/uuid.ts';
import { actorOf, type UserPrincipal } from '../../contract/operation.ts';
import { type Transaction, withinTenant } from '../../database/index.ts';
import { PLATFORM_TENANT_ID } from '../../database/roles.ts';
import type { FormatName } from '../../screening/sources/index.ts';
import { requestReview, endReview, review } from '../second-review/index.ts';
import type { Candidate, WatchListId } from '../watch-lists/index.ts';
import { insertProposal, type Proposal, waitingProposal } from './proposal-store.ts';

interface By {
  readonly by: UserPrincipal;
  readonly now: RealTime;
}

/**
 * Returns the transaction in the platform's tenant, which owns the reviews of lists, whatever tenant the caller is
 * from.
 */
const ofPlatform = (tx: Transaction): Transaction => withinTenant(tx, PLATFORM_TENANT_ID);
const subjectOf = ({ id }: Pick<Proposal, 'id'>) => ({ type: 'list_version', id }) as const;

/** Content of a proposal: the files, the format in which they are read, and the version that they replace. */
type About = Pick<Proposal, 'listId' | 'after' | 'sha256' | 'format' | 'publishedOn'>;

function digestOf({ listId, after, sha256, format, publishedOn }: About): string {
  const about = {
    listId,
    after,
    sha256,
    format,
    publishedOn,
  };
  return `sha256:${createHash('sha256').update(canonicalJson(about)).digest('hex')}`;
}

/**
 * Confirms a proposal. Returns whether another administrator has proposed the same file as a replacement of the same
 * version, so that two people are accountable for the missing entries. Rejects the administrator who made the proposal.
 */
export async function confirm(
  tx: Transaction,
  listId: WatchListId,
  about: Omit<About, 'listId'>,
  { by, now }: By,
): Promise<boolean> {
  const waiting = await waitingProposal(tx, listId);
  const digest = digestOf({ listId, ...about });
  if (waiting === null || waiting.isStale || digestOf(waiting) !== digest) return false;
  const outcome = await review(ofPlatform(tx), subjectOf(waiting), digest, {
    verdict: 'confirm',
    digest,
    note: null,
    checker: by,
    now,
  });
  return outcome === 'confirmed';
}

/**
 * Stores a file as a proposal until another administrator sends the same file. Ends the previous proposal, and returns
 * it if another administrator had made it and it was not stale.
 */
export async function propose(
  tx: Transaction,
  listId: WatchListId,
  { candidate, format, by, now }: By & { readonly candidate: Candidate; readonly format: FormatName },
): Promise<Proposal | null> {
  const before = await waitingProposal(tx, listId);
  if (before !== null) endReview(ofPlatform(tx), subjectOf(before), now);
  const id = uuidv7();
  const { quarantinedNames: _, quarantine: __, ...proposed } = candidate;
  insertProposal(tx, {
    id,
    listId,
    format,
    ...proposed,
    proposedAt: now,
    proposedBy: actorOf(by),
  });
  await requestReview(ofPlatform(tx), {
    environment: 'live',
    subject: subjectOf({ id }),
    digest: digestOf({ listId, format, ...candidate }),
    maker: by,
    now,
  });
  return before === null || before.isStale || before.proposedBy.id === by.userId ? null : before;
}

/**
 * Ends a proposal without activating it: the administrator who made it withdraws it, any other one returns it. Returns
 * null if no such version waits.
 */
export async function returnProposal(
  tx: Transaction,
  listId: WatchListId,
  { sha256, note, by, now }: By & { readonly sha256: string; readonly note: string },
): Promise<Proposal | null> {
  const waiting = await waitingProposal(tx, listId);
  if (waiting === null || waiting.isStale || waiting.sha256 !== sha256) return null;
  if (waiting.proposedBy.id === by.userId) endReview(ofPlatform(tx), subjectOf(waiting), now);
  else {
    const digest = digestOf(waiting);
    await review(ofPlatform(tx), subjectOf(waiting), digest, {
      verdict: 'return',
      digest,
      note,
      checker: by,
      now,
    });
  }
  return waiting;
}
