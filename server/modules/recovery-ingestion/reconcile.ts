/**
 * This file reads the directory's lists of reports and refunds by time of change, and so finds what the notifications do not tell: recoveries
 * that were never announced and answers of counterparties.
 */
import { DAY_MILLISECONDS, MINUTE_MILLISECONDS } from '../../base/time.ts';
import { isoTime, readRecords, type RecoveryRecord, toMilliseconds } from '../recoveries/index.ts';
import { commitObservations, inParallel, type TenantObservation } from './commit.ts';
import type { IngestionContext } from './context.ts';
import { type ListPage, listRefunds, listReports, observe } from './observe.ts';
import type { Participant } from './participants.ts';
import { isSameStream, saveWatermarks, type Stream } from './store.ts';

/** Each list is read again from so long before its watermark, because a change can become visible after a later one. */
const overlap = 10 * MINUTE_MILLISECONDS;
/** The first reading of a participant goes back so far: longer than any recovery is open. */
const initialWindow = 30 * DAY_MILLISECONDS;

/** What the lists of reports and refunds have in common. */
interface Item {
  readonly Id: string;
  readonly FundsRecoveryId?: string;
  readonly Status: string;
  readonly LastModified: string;
  /** Of a report. */
  readonly CounterpartyParticipant?: string;
}

interface List {
  readonly name: string;
  readonly pages: (participant: Participant, since: string) => AsyncGenerator<ListPage<{ readonly item: Item; readonly ispb: string }>>;
}

const lists: readonly List[] = [
  ...(['reporter', 'counterparty'] as const).map((role): List => ({
    name: role,
    async *pages(participant, since) {
      for await (const { items, isTruncated } of listReports(participant, role, since)) {
        yield { isTruncated, items: items.map((item) => ({ item, ispb: role === 'reporter' ? item.ReporterParticipant : item.CounterpartyParticipant })) };
      }
    },
  })),
  ...(['REQUESTING', 'CONTESTED'] as const).map((role): List => ({
    name: role,
    async *pages(participant, since) {
      for await (const { items, isTruncated } of listRefunds(participant, role, since)) {
        yield { isTruncated, items: items.map((item) => ({ item, ispb: role === 'REQUESTING' ? item.RequestingParticipant : item.ContestedParticipant })) };
      }
    },
  })),
];

/**
 * Reads all lists from their watermarks and stores what has changed. Returns false when the stream was ended or begun anew
 * meanwhile, so that nothing of it may be stored any more.
 */
export async function reconcile(ingesting: IngestionContext, participant: Participant, stream: Stream): Promise<boolean> {
  const begun = await ingesting.timeOf(participant);
  for (const list of lists) {
    const mark = stream.watermarks[list.name] ?? isoTime(begun.getTime() - initialWindow);
    const since = stream.gapSince !== null && stream.gapSince < mark ? stream.gapSince : mark;
    for await (const { items, isTruncated } of list.pages(participant, isoTime(toMilliseconds(since) - overlap))) {
      if (isTruncated) ingesting.alarm.raise('list_cut', participant, { list: list.name });
      if (!await storeChanges(ingesting, participant, stream, list.name, items)) return false;
      if (ingesting.signal.aborted) return true;
    }
  }
  return commitObservations(ingesting, participant, [], async (tx) => {
    if (!await isSameStream(tx, participant, stream)) return false;
    await saveWatermarks(tx, participant, stream, { watermarks: {}, reconciledAt: begun, gapSince: stream.gapSince });
    return true;
  });
}

async function storeChanges(ingesting: IngestionContext, participant: Participant, stream: Stream, name: string, items: readonly { readonly item: Item; readonly ispb: string }[]): Promise<boolean> {
  const last = items.at(-1)?.item.LastModified;
  if (last === undefined) return true;
  const at = await ingesting.timeOf(participant);
  const observed = await inParallel(await changedRecoveries(ingesting, participant, items), async ({ tenantId, id, ispb, known }): Promise<TenantObservation | null> => {
    const observation = await observe(participant, id, { ispb, at, known, gapSince: stream.gapSince });
    return observation === null ? null : { tenantId, observation };
  });
  return commitObservations(ingesting, participant, observed.filter((owned) => owned !== null), async (tx) => {
    if (!await isSameStream(tx, participant, stream)) return false;
    await saveWatermarks(tx, participant, stream, { watermarks: { [name]: isoTime(last) }, reconciledAt: null, gapSince: stream.gapSince });
    return true;
  });
}

interface Changed {
  readonly tenantId: string;
  readonly id: string;
  readonly ispb: string;
  readonly known: RecoveryRecord | null;
}

async function changedRecoveries({ database }: IngestionContext, { environment, members }: Participant, items: readonly { readonly item: Item; readonly ispb: string }[]): Promise<Changed[]> {
  const changed = new Map<string, Changed>();
  for (const [tenantId, theirs] of Map.groupBy(items, ({ ispb }) => members.get(ispb))) {
    if (tenantId === undefined) continue;
    const ids = [...new Set(theirs.flatMap(({ item }) => item.FundsRecoveryId ?? []))];
    const records = await database.transaction({ tenantId, readOnly: true }, (tx) => readRecords(tx, environment, ids));
    for (const { item, ispb } of theirs) {
      const id = item.FundsRecoveryId;
      if (id === undefined) continue;
      const known = records.get(id.toLowerCase()) ?? null;
      if (known?.role === 'RECEIVED' && isOnward(item, ispb)) continue;
      if (known === null || !isKnown(known, item)) changed.set(`${ispb} ${id}`, { tenantId, id, ispb, known });
    }
  }
  return [...changed.values()];
}

/** A report of money that passed on from here: the directory opened it in the participant's name, and another one answers it. */
function isOnward({ CounterpartyParticipant }: Item, ispb: string): boolean {
  return CounterpartyParticipant !== undefined && CounterpartyParticipant !== ispb;
}

function isKnown({ snapshot: { InfractionReports, Refunds } }: RecoveryRecord, { Id, Status, LastModified }: Item): boolean {
  return [...InfractionReports, ...Refunds].some((document) => document.Id === Id && document.Status === Status && document.LastModified === LastModified);
}
