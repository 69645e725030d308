import type { Ingesting } from './context.ts';
import type { Participant } from './participant.ts';
import { poll } from './poll.ts';
import { reconcile } from './reconcile.ts';
import { revisitDue, revisitOpen } from './revisit.ts';
import { isSameStream, saveWatermarks, type Stream } from './store/streams.ts';

const reconcileEvery = 15 * 60_000;

/**
 * Everything that there is to learn for a participant now: what was announced, what lists tell, what has to be looked at.
 * @param thorough look through the lists although it is not their time
 */
export async function round(ingesting: Ingesting, participant: Participant, thorough: boolean): Promise<void> {
  const stream = await poll(ingesting, participant);
  if (stream === null || ingesting.signal.aborted) return;
  const at = await ingesting.timeOf(participant);
  const isDue = stream.reconciled_at === null || at.getTime() - Date.parse(stream.reconciled_at) >= reconcileEvery;
  if ((thorough || isDue || stream.gap_since !== null) && !await reconcile(ingesting, participant, stream)) return;
  await revisitOpen(ingesting, participant, stream);
  await revisitDue(ingesting, participant, stream);
  if (stream.gap_since !== null && !ingesting.signal.aborted) await closeGap(ingesting, participant, stream);
}

/** What could be found again after a long silence was found. */
async function closeGap({ database }: Ingesting, participant: Participant, stream: Stream): Promise<void> {
  await database.transaction({ tenantId: participant.tenantId }, async (tx) => {
    if (await isSameStream(tx, participant, stream)) await saveWatermarks(tx, participant, stream, { watermarks: {}, reconciledAt: null, gapSince: null });
  });
}
