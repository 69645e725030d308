import type { Transaction } from '../../../database/index.ts';
import { commit, type Owned } from './commit.ts';
import type { Ingesting } from './context.ts';
import { observe } from './observe.ts';
import { inParallel } from './parallel.ts';
import { actingFor, type Participant } from './participant.ts';
import { readRecords } from './store/records.ts';
import { isSameStream, type Stream } from './store/streams.ts';
import { dueRecords, postponeRecord, staleRecords } from './store/waking.ts';

const hour = 60 * 60_000;

type Select = (tx: Transaction, participant: Participant, ispb: string, at: Date) => Promise<string[]>;

/** Deadlines that have passed, and notifications that were awaited long enough. */
export async function revisitDue(ingesting: Ingesting, participant: Participant, stream: Stream): Promise<boolean> {
  return revisit(ingesting, participant, stream, dueRecords);
}

/** Every open record once an hour, and after an outage at once: what nothing announces is found in time. */
export async function revisitOpen(ingesting: Ingesting, participant: Participant, stream: Stream, notReadSince: Date): Promise<boolean> {
  return revisit(ingesting, participant, stream, (tx, member, ispb) => staleRecords(tx, member, ispb, notReadSince));
}

/** False when the stream was ended meanwhile. */
async function revisit(ingesting: Ingesting, participant: Participant, stream: Stream, select: Select): Promise<boolean> {
  for (const [ispb, tenantId] of participant.members) {
    const member = actingFor(participant, tenantId);
    // One time for all of a round: what was looked at in it is not looked at again.
    const at = await ingesting.timeOf(member);
    for (;;) {
      if (ingesting.signal.aborted) return true;
      const records = await ingesting.database.transaction({ tenantId, readOnly: true }, async (tx) => {
        const ids = await select(tx, member, ispb, at);
        return [...(await readRecords(tx, member.env, ids)).values()];
      });
      if (records.length === 0) break;
      const missing: string[] = [];
      const observed = await inParallel(records, async (known): Promise<Owned | null> => {
        const observation = await observe(participant, known.snapshot.FundsRecovery.Id, { ispb, at, known, gapSince: stream.gap_since });
        if (observation === null) missing.push(known.id);
        return observation === null ? null : { tenantId, observation };
      });
      const isTaken = await commit(ingesting, member, observed.filter((owned) => owned !== null), async (tx) => {
        if (tenantId === participant.tenantId && !await isSameStream(tx, participant, stream)) return false;
        for (const id of missing) await postponeRecord(tx, member, id, at, new Date(at.getTime() + hour));
        return true;
      });
      if (!isTaken) return false;
      for (const recoveryId of missing) ingesting.alarm.raise('recovery_not_shown', member, { recoveryId });
    }
  }
  return true;
}
