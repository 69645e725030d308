/**
 * Wire form of watch lists and of proposals for the staff of the platform. Used by the handlers and the upload. Stale
 * proposals are not shown, because nobody can confirm them any more.
 */
import type { RealTime } from '../../base/time.ts';
import type { components } from '../../contract/generated/types.ts';
import type { Transaction } from '../../database/index.ts';
import { screeningLists } from '../screenings/index.ts';
import { activeVersions, type WatchListId, watchListOf } from '../watch-lists/index.ts';
import { type Proposal, waitingProposals } from './proposal-store.ts';

type WatchList = components['schemas']['WatchList'];

/** Presents all lists of live mode, with the proposals that wait for a second administrator. */
export async function watchLists(tx: Transaction, now: RealTime): Promise<WatchList[]> {
  const [waiting, active, lists] = [
    await waitingProposals(tx),
    await activeVersions(tx, 'live'),
    await screeningLists(tx, 'live', now),
  ];
  return lists.map((list) => {
    const proposal = waiting.find(({ listId, isStale }) => listId === list.id && !isStale);
    return {
      ...list,
      formats: [...watchListOf(list.id as WatchListId).formats],
      quarantine: [...(active.find(({ listId }) => listId === list.id)?.quarantine ?? [])],
      proposal: proposal === undefined ? null : proposalShown(proposal),
    };
  });
}

export async function watchListShown(tx: Transaction, listId: WatchListId, now: RealTime): Promise<WatchList> {
  return (await watchLists(tx, now)).find(({ id }) => id === listId)!;
}

export function proposalShown({
  version,
  format,
  publishedOn,
  sha256,
  entryCount,
  added,
  changed,
  matchChanged,
  removed,
  proposedBy,
  proposedAt,
}: Proposal): components['schemas']['WatchListProposal'] {
  return {
    version,
    format,
    publishedOn,
    sha256,
    entryCount,
    change: {
      added,
      changed,
      matchChanged,
      removed,
    },
    proposedBy,
    proposedAt,
  };
}
