/**
 * This file reads the documents of recoveries that are known to have changed, and then those of every open recovery,
 * those that are due first. A round ends when its allowance of reads is used, so it is always short.
 */
import { HOUR_MILLISECONDS } from '../../base/time.ts';
import type { Transaction } from '../../database/index.ts';
import {
  findDueRecords,
  findStaleRecords,
  type Observation,
  postponeRecord,
  type RecoveryRecord,
  readRecords,
  toMilliseconds,
} from '../recoveries/index.ts';
import { Allowance } from './allowance.ts';
import { commitObservations, inParallel } from './commit.ts';
import type { IngestionContext } from './context.ts';
import { type Listed, nothingListed, observeWithin } from './observe.ts';
import { actingFor, type Participant } from './participants.ts';
import { isReconciledSince, outageMargin } from './reconcile.ts';
import { isSameStream, openStream, saveWatermarks, type Stream } from './store.ts';
import { findUnread, forgetUnread } from './unread-store.ts';

/**
 * Interval after which an open recovery is read again if nothing indicates a change. The interval is longer if the rate
 * limit does not allow the read.
 */
const rereadEvery = HOUR_MILLISECONDS;
/** Batch size of reads and writes. */
const batchSize = 50;

interface Candidate {
  readonly id: string;
  readonly known: RecoveryRecord | null;
  readonly listed: Listed;
}

interface Queue {
  readonly select: (tx: Transaction, member: Participant, at: Date) => Promise<readonly Candidate[]>;
}

async function known(tx: Transaction, { environment }: Participant, ids: readonly string[]): Promise<Candidate[]> {
  const records = await readRecords(tx, environment, ids);
  return ids.flatMap((id) =>
    records.get(id) === undefined ? [] : [{ id, known: records.get(id) ?? null, listed: nothingListed }],
  );
}

/** Recoveries with a change, a deadline or the end of a wait. */
const due: Queue = {
  select: async (tx, member, at) => known(tx, member, await findDueRecords(tx, member.environment, member.ispb, at)),
};

/** Recoveries that a list contains and that were never read. */
const listed: Queue = {
  async select(tx, member) {
    const waiting = await findUnread(tx, member, batchSize);
    const records = await readRecords(
      tx,
      member.environment,
      waiting.map(({ id }) => id),
    );
    return waiting.map(({ id, reports, refunds }) => ({
      id,
      known: records.get(id) ?? null,
      listed: { reports, refunds },
    }));
  },
};

/** Open recoveries that were not read since `time`, so that changes that nothing announces are found too. */
const open = (time: Date): Queue => ({
  select: async (tx, member) => known(tx, member, await findStaleRecords(tx, member.environment, member.ispb, time)),
});

/**
 * Reads the recoveries of a participant that are due, as far as the allowance permits. Returns false if the sandbox was
 * reset meanwhile, because the results are then void.
 *
 * @param thorough reads every open recovery even if nothing indicates a change
 */
export async function readDocuments(
  ingesting: IngestionContext,
  participant: Participant,
  thorough: boolean,
): Promise<boolean> {
  const { database } = ingesting;
  const stream = await database.transaction({ tenantId: participant.tenantId }, (tx) => openStream(tx, participant));
  const allowance = await Allowance.of(participant);
  const startedAt = await ingesting.timeOf(participant);
  const since = thorough ? startedAt : rereadSince(stream, startedAt);
  let isDrained = true;
  for (const [ispb, tenantId] of participant.members) {
    const member = { ...actingFor(participant, tenantId), ispb };
    for (const queue of [due, listed, open(since)]) {
      const outcome = await drain(ingesting, participant, {
        stream,
        member,
        queue,
        allowance,
      });
      if (outcome === 'ended') return false;
      isDrained &&= outcome === 'drained';
    }
  }
  if (isDrained && isReconciledSince(stream)) await closeGap(ingesting, participant, stream);
  return true;
}

/** Returns the time since which every open recovery must have been read. */
function rereadSince({ gapSince }: Stream, startedAt: Date): Date {
  if (gapSince === null) return new Date(startedAt.getTime() - rereadEvery);
  return new Date(toMilliseconds(gapSince) + outageMargin);
}

interface Draining {
  readonly stream: Stream;
  readonly member: Participant;
  readonly queue: Queue;
  readonly allowance: Allowance;
}

async function drain(
  ingesting: IngestionContext,
  participant: Participant,
  { stream, member, queue, allowance }: Draining,
): Promise<'drained' | 'stopped' | 'ended'> {
  const { tenantId, environment, ispb } = member;
  // One time for the whole round, so that a recovery that was read in the round is not read in it again.
  const at = await ingesting.timeOf(member);
  const done = new Set<string>();
  for (;;) {
    if (ingesting.signal.aborted) return 'stopped';
    const selected = await ingesting.database.transaction({ tenantId, readOnly: true }, (tx) =>
      queue.select(tx, member, at),
    );
    const candidates = selected.filter(({ id }) => !done.has(id));
    if (candidates.length === 0) return selected.length === 0 ? 'drained' : 'stopped';
    const [observations, missing]: [Observation[], string[]] = [[], []];
    await inParallel(candidates, async (one) => {
      const isPastDeadline =
        one.known?.nextDeadline != null && toMilliseconds(one.known.nextDeadline.at) <= at.getTime();
      const why = isPastDeadline ? 'deadline' : 'other';
      const observation = await observeWithin({ allowance, why }, participant, one.id, {
        ispb,
        at,
        known: one.known,
        listed: one.listed,
        gapSince: stream.gapSince,
      });
      if (observation === 'not_shown') missing.push(one.id);
      if (observation === 'unread' || (typeof observation !== 'string' && observation.stored !== undefined)) return;
      done.add(one.id);
      if (typeof observation !== 'string') observations.push(observation);
    });
    const read = [...missing, ...observations.map(({ recovery }) => recovery.Id)];
    const isTaken = await commitObservations(
      ingesting,
      member,
      observations.map((observation) => ({ tenantId, observation })),
      async (tx) => {
        if (tenantId === participant.tenantId && !(await isSameStream(tx, participant, stream))) return false;
        for (const id of missing)
          await postponeRecord(tx, environment, id, { at, wakeAt: new Date(at.getTime() + HOUR_MILLISECONDS) });
        await forgetUnread(tx, member, read);
        return true;
      },
    );
    if (!isTaken) return 'ended';
    for (const recoveryId of missing) ingesting.alarm.raise('recovery_not_shown', member, { recoveryId });
    if (read.length < candidates.length) return 'stopped';
  }
}

/** Ends the gap after a long outage, because everything that can still be found was found. */
async function closeGap({ database }: IngestionContext, participant: Participant, stream: Stream): Promise<void> {
  await database.transaction({ tenantId: participant.tenantId }, async (tx) => {
    if (await isSameStream(tx, participant, stream))
      await saveWatermarks(tx, participant, stream, { watermarks: {}, reconciledAt: null, gapSince: null });
  });
}
