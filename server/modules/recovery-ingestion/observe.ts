import {
  DirectoryError, type DirectoryErrorKind, type Envelope, type InfractionReportDocument, type InfractionReportQuery,
  type NotificationDocument, type RecoveryDocument, type RefundDocument, type RefundQuery,
} from '../../providers/directory/index.ts';
import { isoTime, type Observation, type Provenance, rankOf, readStatus, type RecoveryRecord, toMilliseconds } from '../recoveries/index.ts';
import type { Participant } from './participants.ts';

export interface ListPage<T> {
  readonly items: readonly T[];
  /** More changes than fit on one page within one millisecond: the rest of them was not read. */
  readonly isTruncated: boolean;
}

/**
 * Infraction reports in the order of their last change. The list has no cursor: each page begins, inclusively, with the
 * time at which the former ended.
 */
export async function* listReports({ directory, ispb, includeIndirect }: Participant, role: InfractionReportQuery['role'], since: string): AsyncGenerator<ListPage<InfractionReportDocument>> {
  for (let modifiedAfter = since; ;) {
    const { items, hasMore } = await directory.listInfractionReports(ispb, { role, modifiedAfter, includeIndirect });
    const last = items.at(-1)?.LastModified;
    const isTruncated = hasMore && last !== undefined && toMilliseconds(last) <= toMilliseconds(modifiedAfter);
    yield { items, isTruncated };
    if (!hasMore || last === undefined) return;
    modifiedAfter = isTruncated ? isoTime(toMilliseconds(modifiedAfter) + 1) : last;
  }
}

export async function* listRefunds({ directory, ispb, includeIndirect }: Participant, role: RefundQuery['role'], modifiedAfter: string): AsyncGenerator<ListPage<RefundDocument>> {
  for (let cursor: string | null = null; ;) {
    const page = await directory.listRefunds(ispb, { role, modifiedAfter, includeIndirect, cursor });
    yield { items: page.items, isTruncated: false };
    cursor = page.nextCursor;
    if (!page.hasMore || cursor === null) return;
  }
}

/** A counterparty reads its own reports of a recovery from the list of all that it has received. */
async function ownReports(participant: Participant, ispb: string, recovery: RecoveryDocument, known: RecoveryRecord | null): Promise<InfractionReportDocument[]> {
  const found: InfractionReportDocument[] = [];
  for await (const { items } of listReports(participant, 'counterparty', modifiedSince(recovery, known?.snapshot.InfractionReports))) {
    found.push(...items.filter(({ FundsRecoveryId, CounterpartyParticipant }) => FundsRecoveryId === recovery.Id && CounterpartyParticipant === ispb));
  }
  return found;
}

async function ownRefunds(participant: Participant, ispb: string, recovery: RecoveryDocument, known: RecoveryRecord | null): Promise<RefundDocument[]> {
  const found: RefundDocument[] = [];
  for await (const { items } of listRefunds(participant, 'CONTESTED', modifiedSince(recovery, known?.snapshot.Refunds))) {
    found.push(...items.filter(({ FundsRecoveryId, ContestedParticipant }) => FundsRecoveryId === recovery.Id && ContestedParticipant === ispb));
  }
  return found;
}

/** Nothing of a recovery is older than it, and what is known of it need not be read again. */
function modifiedSince({ CreationTime }: RecoveryDocument, known: readonly { readonly LastModified: string }[] = []): string {
  return [CreationTime, ...known.map(({ LastModified }) => LastModified)].reduce((latest, time) => (Date.parse(time) > Date.parse(latest) ? time : latest));
}

interface ObserveOptions {
  /** Whom of the participant's it concerns. */
  readonly ispb: string;
  /** Business time before the reads. */
  readonly at: Date;
  readonly known: RecoveryRecord | null;
  readonly notifications?: readonly NotificationDocument[];
  readonly page?: Provenance | null;
  readonly gapSince?: string | null;
}

/** Reads everything that the directory shows us of a recovery; null when it shows nothing. */
export async function observe(participant: Participant, id: string, { ispb, at, known, notifications = [], page = null, gapSince = null }: ObserveOptions): Promise<Observation | null> {
  const { directory } = participant;
  const answer = await unlessRefused(directory.getFundsRecovery(participant.ispb, id));
  if (answer === null) return null;
  const recovery = answer.document;
  const isCreator = recovery.ReporterParticipant === ispb;
  const rank = rankOf(readStatus(recovery.Status) ?? 'COMPLETED');
  const graph = known?.snapshot.TrackingGraph ?? null;
  const [read, reports, refunds] = await Promise.all([
    graph === null && rank >= rankOf('TRACKED') ? unlessRefused(directory.getTrackingGraph(participant.ispb, id)) : null,
    isCreator ? unlessRefused(directory.listRecoveryInfractionReports(participant.ispb, id)).then((list) => list?.document ?? [])
      : ownReports(participant, ispb, recovery, known),
    isCreator ? unlessRefused(directory.listRecoveryRefunds(participant.ispb, id)).then((list) => list?.document ?? [])
      : ownRefunds(participant, ispb, recovery, known),
  ]);
  return {
    ispb, at, notifications, page, recovery, reports, refunds, gapSince,
    graph: graph ?? read?.document ?? null, read: provenance(participant, answer, at),
  };
}

export function provenance({ source }: Participant, { correlationId, sha256 }: Envelope, at: Date): Provenance {
  return { source, correlationId, receivedAt: at.toISOString(), signature: 'VERIFIED', sha256 };
}

/** Parts of a recovery that do not exist yet, or that its creator alone may read. */
const expectedRefusals: readonly DirectoryErrorKind[] = ['NotFound', 'Forbidden', 'BadRequest'];

async function unlessRefused<T>(read: Promise<T>): Promise<T | null> {
  try {
    return await read;
  } catch (error) {
    if (error instanceof DirectoryError && expectedRefusals.includes(error.kind)) return null;
    throw error;
  }
}
