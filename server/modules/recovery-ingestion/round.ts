import { HOUR_MILLISECONDS, MINUTE_MILLISECONDS } from '../../base/time.ts';
import type { Environment } from '../../contract/operation.ts';
import type { Transaction } from '../../database/index.ts';
import { findDueRecords, findStaleRecords, postponeRecord, readRecords } from '../recoveries/index.ts';
import { commitObservations, inParallel, type TenantObservation } from './commit.ts';
import type { IngestionContext } from './context.ts';
import { observe } from './observe.ts';
import { actingFor, type Participant } from './participants.ts';
import { pollNotifications } from './poll.ts';
import { reconcile } from './reconcile.ts';
import { isSameStream, saveWatermarks, type Stream } from './store.ts';

type Select = (tx: Transaction, environment: Environment, ispb: string, at: Date) => Promise<string[]>;

/** Deadlines that have passed, and notifications that were awaited long enough. */
async function revisitDue(ingesting: IngestionContext, participant: Participant, stream: Stream): Promise<boolean> {
  return revisit(ingesting, participant, stream, findDueRecords);
}

/** Every open record once an hour, and after an outage at once: what nothing announces is found in time. */
async function revisitOpen(ingesting: IngestionContext, participant: Participant, stream: Stream, notReadSince: Date): Promise<boolean> {
  return revisit(ingesting, participant, stream, (tx, environment, ispb) => findStaleRecords(tx, environment, ispb, notReadSince));
}

/** False when the stream was ended meanwhile. */
async function revisit(ingesting: IngestionContext, participant: Participant, stream: Stream, select: Select): Promise<boolean> {
  for (const [ispb, tenantId] of participant.members) {
    const member = actingFor(participant, tenantId);
    // One time for all of a round: what was looked at in it is not looked at again.
    const at = await ingesting.timeOf(member);
    for (;;) {
      if (ingesting.signal.aborted) return true;
      const records = await ingesting.database.transaction({ tenantId, readOnly: true }, async (tx) => {
        const ids = await select(tx, member.environment, ispb, at);
        return [...(await readRecords(tx, member.environment, ids)).values()];
      });
      if (records.length === 0) break;
      const missing: string[] = [];
      const observed = await inParallel(records, async (known): Promise<TenantObservation | null> => {
        const observation = await observe(participant, known.snapshot.FundsRecovery.Id, { ispb, at, known, gapSince: stream.gapSince });
        if (observation === null) missing.push(known.id);
        return observation === null ? null : { tenantId, observation };
      });
      const isTaken = await commitObservations(ingesting, member, observed.filter((owned) => owned !== null), async (tx) => {
        if (tenantId === participant.tenantId && !await isSameStream(tx, participant, stream)) return false;
        for (const id of missing) await postponeRecord(tx, member.environment, id, at, new Date(at.getTime() + HOUR_MILLISECONDS));
        return true;
      });
      if (!isTaken) return false;
      for (const recoveryId of missing) ingesting.alarm.raise('recovery_not_shown', member, { recoveryId });
    }
  }
  return true;
}

const reconcileEvery = 15 * MINUTE_MILLISECONDS;
const rereadEvery = HOUR_MILLISECONDS;

/**
 * Everything that there is to learn for a participant now: what was announced, what lists tell, what has to be looked at.
 * False when somebody else has read on meanwhile, or the sandbox was reset: what is left then is theirs, or nothing.
 *
 * @param thorough look through the lists and at every open record although it is not their time
 */
export async function pollRound(ingesting: IngestionContext, participant: Participant, thorough: boolean): Promise<boolean> {
  const begun = await ingesting.timeOf(participant);
  const stream = await pollNotifications(ingesting, participant);
  if (stream === null) return false;
  if (ingesting.signal.aborted) return true;
  const isDue = stream.reconciledAt === null || begun.getTime() - Date.parse(stream.reconciledAt) >= reconcileEvery;
  const atOnce = thorough || stream.gapSince !== null;
  if ((atOnce || isDue) && !await reconcile(ingesting, participant, stream)) return false;
  const isWhole = await revisitOpen(ingesting, participant, stream, atOnce ? begun : new Date(begun.getTime() - rereadEvery));
  if (!isWhole || !await revisitDue(ingesting, participant, stream)) return false;
  if (stream.gapSince !== null && !ingesting.signal.aborted) await closeGap(ingesting, participant, stream);
  return true;
}

/** Ends the gap that a long outage left: everything that can still be found was found. */
async function closeGap({ database }: IngestionContext, participant: Participant, stream: Stream): Promise<void> {
  await database.transaction({ tenantId: participant.tenantId }, async (tx) => {
    if (await isSameStream(tx, participant, stream)) await saveWatermarks(tx, participant, stream, { watermarks: {}, reconciledAt: null, gapSince: null });
  });
}
