import { createHash } from 'node:crypto';
import { canonicalJson } from '../../base/canonical-json.ts';
import { uuidv7 } from '../../base/uuid.ts';
import { actorOf, type UserPrincipal } from '../../contract/operation.ts';
import { type Transaction, withinTenant } from '../../database/index.ts';
import { PLATFORM_TENANT_ID } from '../../database/roles.ts';
import type { FormatName } from '../../screening/sources/index.ts';
import { askForReview, endReview, review } from '../second-review/index.ts';
import type { Candidate, WatchListId } from '../watch-lists/index.ts';
import { insertProposal, type Proposal, waitingProposal } from './proposal-store.ts';

interface By {
  readonly by: UserPrincipal;
  readonly now: Date;
}

/** Reviews of lists are the platform's, of whichever tenant the person is a member. */
const ofPlatform = (tx: Transaction): Transaction => withinTenant(tx, PLATFORM_TENANT_ID);
const subjectOf = ({ id }: Pick<Proposal, 'id'>) => ({ type: 'list_version', id }) as const;

/** What a proposal is about: these files, read in this way, in place of that version. */
type About = Pick<Proposal, 'listId' | 'after' | 'sha256' | 'format' | 'publishedOn'>;

function digestOf({ listId, after, sha256, format, publishedOn }: About): string {
  return `sha256:${createHash('sha256').update(canonicalJson({ listId, after, sha256, format, publishedOn })).digest('hex')}`;
}

/** Whether somebody else has proposed the same file in place of the same version, so that two people answer for what is missing. Refused to whoever proposed it. */
export async function confirm(tx: Transaction, listId: WatchListId, about: Omit<About, 'listId'>, { by, now }: By): Promise<boolean> {
  const waiting = await waitingProposal(tx, listId);
  const digest = digestOf({ listId, ...about });
  if (waiting === null || waiting.isStale || digestOf(waiting) !== digest) return false;
  return await review(ofPlatform(tx), subjectOf(waiting), digest, { verdict: 'confirm', digest, note: null, checker: by, now }) === 'confirmed';
}

/** Keeps what a file would make active until somebody else sends it. What waited before is over; returned if somebody else had proposed it. */
export async function propose(tx: Transaction, listId: WatchListId, { candidate, format, by, now }: By & { readonly candidate: Candidate; readonly format: FormatName }): Promise<Proposal | null> {
  const before = await waitingProposal(tx, listId);
  if (before !== null) endReview(ofPlatform(tx), subjectOf(before), now);
  const id = uuidv7();
  const { quarantinedNames: _, quarantine: __, ...proposed } = candidate;
  insertProposal(tx, { id, listId, format, ...proposed, proposedAt: now, proposedBy: actorOf(by) });
  await askForReview(ofPlatform(tx), { environment: 'live', subject: subjectOf({ id }), digest: digestOf({ listId, format, ...candidate }), maker: by, now });
  return before === null || before.isStale || before.proposedBy.id === by.userId ? null : before;
}

/** Ends what waits without making it active: whoever proposed it withdraws it, anybody else returns it. Null when no such version waits. */
export async function returnProposal(tx: Transaction, listId: WatchListId, { sha256, note, by, now }: By & { readonly sha256: string; readonly note: string }): Promise<Proposal | null> {
  const waiting = await waitingProposal(tx, listId);
  if (waiting === null || waiting.isStale || waiting.sha256 !== sha256) return null;
  if (waiting.proposedBy.id === by.userId) endReview(ofPlatform(tx), subjectOf(waiting), now);
  else {
    const digest = digestOf(waiting);
    await review(ofPlatform(tx), subjectOf(waiting), digest, { verdict: 'return', digest, note, checker: by, now });
  }
  return waiting;
}
