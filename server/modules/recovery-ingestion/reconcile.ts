/**
 * This file reads the directory's lists of reports and refunds by time of change, once for all recoveries. The lists
 * show what notifications do not: recoveries that were never announced, and answers of counterparties. Used by poll.ts
 * and round.ts.
 */
import { DAY_MILLISECONDS, MINUTE_MILLISECONDS } from '../../base/time.ts';
import type { InfractionReportDocument, RefundDocument } from '../../providers/directory/index.ts';
import { isoTime, readRecords, type RecoveryRecord, toMilliseconds } from '../recoveries/index.ts';
import type { Allowance } from './allowance.ts';
import { commitObservations, inParallel, type TenantObservation } from './commit.ts';
import type { IngestionContext } from './context.ts';
import { isFollowed, type Listed, listRefunds, listReports, nothingListed, observeWithin } from './observe.ts';
import { actingFor, type Participant } from './participants.ts';
import { isSameStream, saveWatermarks, type Stream } from './store.ts';
import { keepUnread } from './unread-store.ts';

/** How far before its watermark each list is read again, because a change can become visible after a later one. */
const overlap = 10 * MINUTE_MILLISECONDS;
/** How far back the first read of a participant goes: longer than any recovery is open. */
const initialWindow = 30 * DAY_MILLISECONDS;

/**
 * Limit of pages of each list in a round. The rest follows in the next round, so that notifications do not wait for a
 * first read of thousands of documents.
 */
const mostPages = 20;

interface Entry {
  readonly kind: 'report' | 'refund';
  /** The tenant's participant that the document concerns. */
  readonly ispb: string;
  readonly item: InfractionReportDocument | RefundDocument;
}

interface Page {
  readonly list: string;
  readonly entries: readonly Entry[];
  readonly isTruncated: boolean;
}

interface List {
  readonly name: string;
  readonly pages: (participant: Participant, since: string) => AsyncGenerator<Omit<Page, 'list'>>;
}

const lists: readonly List[] = [
  ...(['reporter', 'counterparty'] as const).map(
    (role): List => ({
      name: role,
      async *pages(participant, since) {
        for await (const { items, isTruncated } of listReports(participant, role, since)) {
          yield {
            isTruncated,
            entries: items.map((item) => ({
              kind: 'report',
              item,
              ispb: role === 'reporter' ? item.ReporterParticipant : item.CounterpartyParticipant,
            })),
          };
        }
      },
    }),
  ),
  ...(['REQUESTING', 'CONTESTED'] as const).map(
    (role): List => ({
      name: role,
      async *pages(participant, since) {
        for await (const { items, isTruncated } of listRefunds(participant, role, since)) {
          yield {
            isTruncated,
            entries: items.map((item) => ({
              kind: 'refund',
              item,
              ispb: role === 'REQUESTING' ? item.RequestingParticipant : item.ContestedParticipant,
            })),
          };
        }
      },
    }),
  ),
];

const keyOf = (ispb: string, id: string): string => `${ispb} ${id.toLowerCase()}`;

/** Everything that the lists showed in one round. */
class ListsRead {
  /** Business time before the first page. The lists contain every change until then. */
  readonly startedAt: Date;
  readonly pages: readonly Page[];
  /** False if there are more pages than were read. */
  readonly isWhole: boolean;
  readonly #byRecovery: ReadonlyMap<string, Listed>;

  constructor(startedAt: Date, pages: readonly Page[], isWhole: boolean) {
    [this.startedAt, this.pages, this.isWhole] = [startedAt, pages, isWhole];
    const byRecovery = Map.groupBy(
      pages.flatMap(({ entries }) => entries),
      ({ ispb, item }) => keyOf(ispb, item.FundsRecoveryId ?? ''),
    );
    this.#byRecovery = new Map([...byRecovery].map(([key, entries]) => [key, listedBy(entries)]));
  }

  of(ispb: string, id: string): Listed {
    return this.#byRecovery.get(keyOf(ispb, id)) ?? nothingListed;
  }
}

function listedBy(entries: readonly Entry[]): Listed {
  return {
    reports: entries.flatMap(({ kind, item }) => (kind === 'report' ? [item as InfractionReportDocument] : [])),
    refunds: entries.flatMap(({ kind, item }) => (kind === 'refund' ? [item as RefundDocument] : [])),
  };
}

/** Lists of one round, read once, when they are first needed. */
export class RoundLists {
  #read: Promise<ListsRead> | null = null;

  read(ingesting: IngestionContext, participant: Participant, stream: Stream): Promise<ListsRead> {
    this.#read ??= readLists(ingesting, participant, stream);
    return this.#read;
  }
}

/** Reads all lists from their watermarks. */
async function readLists(ingesting: IngestionContext, participant: Participant, stream: Stream): Promise<ListsRead> {
  const startedAt = await ingesting.timeOf(participant);
  const pages: Page[] = [];
  let isWhole = true;
  for (const list of lists) {
    const mark = stream.watermarks[list.name] ?? isoTime(startedAt.getTime() - initialWindow);
    const since =
      stream.gapSince !== null && stream.gapSince < mark && !isReconciledSince(stream) ? stream.gapSince : mark;
    let count = 0;
    for await (const page of list.pages(participant, isoTime(toMilliseconds(since) - overlap))) {
      if (page.isTruncated) ingesting.alarm.raise('list_cut', participant, { list: list.name });
      pages.push({ list: list.name, ...page });
      count += 1;
      if (count === mostPages || ingesting.signal.aborted) {
        isWhole = false;
        break;
      }
    }
  }
  return new ListsRead(startedAt, pages, isWhole);
}

/** A round that ended before the outage may have committed shortly after its page of notifications. */
export const outageMargin = 10 * MINUTE_MILLISECONDS;

/** Returns whether all lists were read since the notifications were lost. */
export function isReconciledSince({ gapSince, reconciledAt }: Stream): boolean {
  return (
    gapSince !== null && reconciledAt !== null && toMilliseconds(reconciledAt) > toMilliseconds(gapSince) + outageMargin
  );
}

/** Lists that were read, the stream when they were read, and the reads that they may cause. */
interface Reconciliation {
  readonly stream: Stream;
  readonly read: ListsRead;
  readonly allowance: Allowance;
}

/**
 * Stores what has changed in the lists. Returns false if the stream was ended or restarted meanwhile, because nothing
 * of it may be stored any more.
 */
export async function reconcile(
  ingesting: IngestionContext,
  participant: Participant,
  reconciliation: Reconciliation,
): Promise<boolean> {
  const { stream, read } = reconciliation;
  for (const page of read.pages) {
    if (!(await storeChanges(ingesting, participant, page, reconciliation))) return false;
    if (ingesting.signal.aborted) return true;
  }
  if (!read.isWhole) return true;
  return commitObservations(ingesting, participant, [], async (tx) => {
    if (!(await isSameStream(tx, participant, stream))) return false;
    await saveWatermarks(tx, participant, stream, {
      watermarks: {},
      reconciledAt: read.startedAt,
      gapSince: stream.gapSince,
    });
    return true;
  });
}

async function storeChanges(
  ingesting: IngestionContext,
  participant: Participant,
  { list, entries }: Page,
  { stream, read, allowance }: Reconciliation,
): Promise<boolean> {
  const last = entries.at(-1)?.item.LastModified;
  if (last === undefined) return true;
  const observed = await inParallel(
    await changedRecoveries(ingesting, participant, entries),
    async ({ tenantId, id, ispb, known }): Promise<TenantObservation | null> => {
      const listed = read.of(ispb, id);
      const observation = await observeWithin({ allowance, why: 'other' }, participant, id, {
        ispb,
        at: await ingesting.timeOf(participant),
        known,
        listed,
        gapSince: stream.gapSince,
      });
      if (observation === 'unread') {
        const member = actingFor(participant, tenantId);
        await ingesting.database.transaction({ tenantId }, (tx) =>
          keepUnread(tx, { ...member, ispb }, { id, ...listed }, read.startedAt),
        );
      }
      return typeof observation === 'string' ? null : { tenantId, observation };
    },
  );
  return commitObservations(
    ingesting,
    participant,
    observed.filter((owned) => owned !== null),
    async (tx) => {
      if (!(await isSameStream(tx, participant, stream))) return false;
      await saveWatermarks(tx, participant, stream, {
        watermarks: { [list]: isoTime(last) },
        reconciledAt: null,
        gapSince: stream.gapSince,
      });
      return true;
    },
  );
}

interface Changed {
  readonly tenantId: string;
  readonly id: string;
  readonly ispb: string;
  readonly known: RecoveryRecord | null;
}

async function changedRecoveries(
  { database }: IngestionContext,
  { environment, members }: Participant,
  entries: readonly Entry[],
): Promise<Changed[]> {
  const changed = new Map<string, Changed>();
  for (const [tenantId, theirs] of Map.groupBy(entries, ({ ispb }) => members.get(ispb))) {
    if (tenantId === undefined) continue;
    const ids = [...new Set(theirs.flatMap(({ item }) => item.FundsRecoveryId ?? []))];
    const records = await database.transaction({ tenantId, readOnly: true }, (tx) => readRecords(tx, environment, ids));
    for (const { item, ispb } of theirs) {
      const id = item.FundsRecoveryId;
      if (id === undefined) continue;
      const known = records.get(id.toLowerCase()) ?? null;
      if (known !== null && !isFollowed(item, ispb, known.snapshot.FundsRecovery.ReporterParticipant)) continue;
      if (known === null || !isKnown(known, item))
        changed.set(`${ispb} ${id}`, {
          tenantId,
          id,
          ispb,
          known,
        });
    }
  }
  return [...changed.values()];
}

function isKnown(
  { snapshot: { InfractionReports, Refunds } }: RecoveryRecord,
  { Id, Status, LastModified }: Entry['item'],
): boolean {
  return [...InfractionReports, ...Refunds].some(
    (document) => document.Id === Id && document.Status === Status && document.LastModified === LastModified,
  );
}
