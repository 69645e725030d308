/**
 * One round of a participant: notifications, lists and passed deadlines. Called by ingestion.ts and by tests. Stops
 * without harm if another process has read further or the sandbox was reset; then what was read is thrown away.
 */
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
 * Reads everything that the directory announces without a read of single recoveries: notifications, lists, and the
 * deadlines that passed without a change in the lists. Does not wait for reads of recoveries that are not announced.
 * Returns false if another process has read further meanwhile, which then does the rest, or if the sandbox was reset,
 * after which nothing is left to do.
 */
export async function followAnnouncements(ingesting: IngestionContext, participant: Participant): Promise<boolean> {
  const [lists, allowance] = [new RoundLists(), await Allowance.of(participant)];
  const stream = await pollNotifications(ingesting, participant, { lists, allowance });
  if (stream === null) return false;
  if (ingesting.signal.aborted) return true;
  const read = await lists.read(ingesting, participant, stream);
  if (!(await reconcile(ingesting, participant, { stream, read, allowance }))) return false;
  return !read.isWhole || ingesting.signal.aborted || publishDeadlines(ingesting, participant, stream, read.startedAt);
}

/**
 * Limit of batches of notices in a round, because after a change of the setting every deadline that is ahead is
 * processed.
 */
const mostNotices = 20;

/** Maximum delay after which the directory's lists show a change. */
const listingDelay = 5 * SECOND_MILLISECONDS;

/**
 * Publishes the passed deadlines of reports and refunds, and the notices of approaching ones, from stored documents:
 * the lists, read after the deadline, have shown no answer. Leaves to a read of the recovery what the lists cannot
 * show, and what concerns a participant behind this one, because it is unknown whose lists include that participant.
 */
async function publishDeadlines(
  ingesting: IngestionContext,
  participant: Participant,
  stream: Stream,
  listsReadAt: Date,
): Promise<boolean> {
  const { tenantId, environment, ispb } = participant;
  const at = new Date(listsReadAt.getTime() - listingDelay);
  const publishDue = async (find: typeof findDueDeadlines, mostBatches: number): Promise<boolean> => {
    for (let batches = 0; batches < mostBatches && !ingesting.signal.aborted; batches++) {
      const records = await ingesting.database.transaction({ tenantId, readOnly: true }, async (tx) => [
        ...(await readRecords(tx, environment, await find(tx, environment, ispb, at))).values(),
      ]);
      if (records.length === 0) return true;
      const observations = records.map((known) => ({
        tenantId,
        observation: storedObservation(participant, known, {
          ispb,
          at,
          known,
          needsRead: false,
        }),
      }));
      const isTaken = await commitObservations(ingesting, participant, observations, (tx) =>
        isSameStream(tx, participant, stream),
      );
      if (!isTaken) return false;
    }
    return true;
  };
  // Deadlines come first, because a notice may wait for the next round.
  return (await publishDue(findDueDeadlines, Number.POSITIVE_INFINITY)) && publishDue(findDueNotices, mostNotices);
}

/**
 * Runs both lanes for a participant. Returns false for the same reasons as `followAnnouncements`.
 *
 * @param thorough reads every open recovery even if nothing indicates a change
 */
export async function pollRound(
  ingesting: IngestionContext,
  participant: Participant,
  thorough: boolean,
): Promise<boolean> {
  return (
    (await followAnnouncements(ingesting, participant)) &&
    (ingesting.signal.aborted || readDocuments(ingesting, participant, thorough))
  );
}
