import { SECOND_MILLISECONDS } from '../../base/time.ts';
import { findDueDeadlines, findDueNotices, readRecords } from '../recoveries/index.ts';
import { Allowance } from './allowance.ts';
import { commitObservations } from './commit.ts';
import type { IngestionContext } from './context.ts';
import { readDocuments } from './documents.ts';
import { storedObservation } from './observe.ts';
import type { Participant } from './participants.ts';
import { pollNotifications } from './poll.ts';
import { reconcile, RoundLists } from './reconcile.ts';
import { isSameStream, type Stream } from './store.ts';

/**
 * Everything that the directory says of its own accord: notifications and lists, and the deadlines that passed without a change in them. It
 * waits for no read of a recovery that is not announced. False when somebody else has read on meanwhile, or the sandbox was reset: what is left
 * then is theirs, or nothing.
 */
export async function followAnnouncements(ingesting: IngestionContext, participant: Participant): Promise<boolean> {
  const [lists, allowance] = [new RoundLists(), await Allowance.of(participant)];
  const stream = await pollNotifications(ingesting, participant, { lists, allowance });
  if (stream === null) return false;
  if (ingesting.signal.aborted) return true;
  const read = await lists.read(ingesting, participant, stream);
  if (!await reconcile(ingesting, participant, stream, read, allowance)) return false;
  return !read.isWhole || ingesting.signal.aborted || tellDeadlines(ingesting, participant, stream, read.begun);
}

/** Batches of notices in a round: after a change of the setting every deadline that is ahead is looked at. */
const mostNotices = 20;

/** How long after a change the directory's lists show it at the latest. */
const listingDelay = 5 * SECOND_MILLISECONDS;

/**
 * Tells the deadlines of reports and refunds that have passed, and announces those that come near, from what is stored: the lists, read after the deadline, have shown no answer. What
 * they cannot show is left to a read of the recovery, and so is what concerns a participant behind this one: nothing says whose lists include it.
 */
async function tellDeadlines(ingesting: IngestionContext, participant: Participant, stream: Stream, listsReadAt: Date): Promise<boolean> {
  const { tenantId, environment, ispb } = participant;
  const at = new Date(listsReadAt.getTime() - listingDelay);
  const tell = async (find: typeof findDueDeadlines, mostBatches: number): Promise<boolean> => {
    for (let batches = 0; batches < mostBatches && !ingesting.signal.aborted; batches++) {
      const records = await ingesting.database.transaction({ tenantId, readOnly: true }, async (tx) =>
        [...(await readRecords(tx, environment, await find(tx, environment, ispb, at))).values()]);
      if (records.length === 0) return true;
      const observations = records.map((known) => ({ tenantId, observation: storedObservation(participant, known, { ispb, at, known, needsRead: false }) }));
      if (!await commitObservations(ingesting, participant, observations, (tx) => isSameStream(tx, participant, stream))) return false;
    }
    return true;
  };
  // Deadlines first: a notice may wait for the next round.
  return await tell(findDueDeadlines, Number.POSITIVE_INFINITY) && tell(findDueNotices, mostNotices);
}

/**
 * Everything that there is to learn for a participant now. False as `followAnnouncements`.
 *
 * @param thorough read every open recovery although nothing says that it has changed
 */
export async function pollRound(ingesting: IngestionContext, participant: Participant, thorough: boolean): Promise<boolean> {
  return await followAnnouncements(ingesting, participant) && (ingesting.signal.aborted || readDocuments(ingesting, participant, thorough));
}
