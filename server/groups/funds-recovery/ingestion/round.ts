import type { Ingesting } from './context.ts';
import type { Participant } from './participant.ts';
import { poll } from './poll.ts';
import { reconcile } from './reconcile.ts';
import { revisitDue, revisitOpen } from './revisit.ts';
import { isSameStream, saveWatermarks, type Stream } from './store/streams.ts';

const minute = 60_000;
const reconcileEvery = 15 * minute;
const rereadEvery = 60 * minute;

/**
 * Everything that there is to learn for a participant now: what was announced, what lists tell, what has to be looked at.
 * False when somebody else has read on meanwhile, or the sandbox was reset: what is left then is theirs, or nothing.
 *
 * @param thorough look through the lists and at every open record although it is not their time
 */
export async function round(ingesting: Ingesting, participant: Participant, thorough: boolean): Promise<boolean> {
  const begun = await ingesting.timeOf(participant);
  const stream = await poll(ingesting, participant);
  if (stream === null) return false;
  if (ingesting.signal.aborted) return true;
  const isDue = stream.reconciled_at === null || begun.getTime() - Date.parse(stream.reconciled_at) >= reconcileEvery;
  const atOnce = thorough || stream.gap_since !== null;
  if ((atOnce || isDue) && !await reconcile(ingesting, participant, stream)) return false;
  const isWhole = await revisitOpen(ingesting, participant, stream, atOnce ? begun : new Date(begun.getTime() - rereadEvery));
  if (!isWhole || !await revisitDue(ingesting, participant, stream)) return false;
  if (stream.gap_since !== null && !ingesting.signal.aborted) await closeGap(ingesting, participant, stream);
  return true;
}

/** What could be found again after a long silence was found. */
async function closeGap({ database }: Ingesting, participant: Participant, stream: Stream): Promise<void> {
  await database.transaction({ tenantId: participant.tenantId }, async (tx) => {
    if (await isSameStream(tx, participant, stream)) await saveWatermarks(tx, participant, stream, { watermarks: {}, reconciledAt: null, gapSince: null });
  });
}
