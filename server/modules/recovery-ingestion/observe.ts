/**
 * Reads one recovery and its documents from the directory and makes an observation of them. Used by the rounds; the
 * lists also by reconcile.ts. Documents that the participant need not answer are left out. Errors of the directory pass
 * through to the round.
 */
import {
  DirectoryError,
  type DirectoryErrorKind,
  type Envelope,
  type InfractionReportDocument,
  type InfractionReportQuery,
  type NotificationDocument,
  type RecoveryDocument,
  type RefundDocument,
  type RefundQuery,
} from '../../providers/directory/index.ts';
import {
  isoTime,
  type Observation,
  type Provenance,
  rankOf,
  readStatus,
  type RecoveryRecord,
  type Status,
  toMilliseconds,
} from '../recoveries/index.ts';
import type { Allowance, ReadReason } from './allowance.ts';
import type { Participant } from './participants.ts';

export interface ListPage<T> {
  readonly items: readonly T[];
  /** Set if more changes have the same millisecond than fit on one page. The rest of them was not read. */
  readonly isTruncated: boolean;
}

/**
 * Yields infraction reports in the order of their last change. The list has no cursor, so each page begins,
 * inclusively, at the time at which the previous one ended.
 */
export async function* listReports(
  { directory, ispb, includeIndirect }: Participant,
  role: InfractionReportQuery['role'],
  since: string,
): AsyncGenerator<ListPage<InfractionReportDocument>> {
  for (let modifiedAfter = since; ; ) {
    const { items, hasMore } = await directory.listInfractionReports(ispb, { role, modifiedAfter, includeIndirect });
    const last = items.at(-1)?.LastModified;
    const isTruncated = hasMore && last !== undefined && toMilliseconds(last) <= toMilliseconds(modifiedAfter);
    yield { items, isTruncated };
    if (!hasMore || last === undefined) return;
    modifiedAfter = isTruncated ? isoTime(toMilliseconds(modifiedAfter) + 1) : last;
  }
}

export async function* listRefunds(
  { directory, ispb, includeIndirect }: Participant,
  role: RefundQuery['role'],
  modifiedAfter: string,
): AsyncGenerator<ListPage<RefundDocument>> {
  for (let cursor: string | null = null; ; ) {
    const page = await directory.listRefunds(ispb, {
      role,
      modifiedAfter,
      includeIndirect,
      cursor,
    });
    yield { items: page.items, isTruncated: false };
    cursor = page.nextCursor;
    if (!page.hasMore || cursor === null) return;
  }
}

/** What the lists show about a recovery. */
export interface Listed {
  readonly reports: readonly InfractionReportDocument[];
  readonly refunds: readonly RefundDocument[];
}

export const nothingListed: Listed = { reports: [], refunds: [] };

/**
 * Returns whether the participant has to follow a report or refund. The creator follows every document of its recovery;
 * any other participant follows those that it has to answer. A list shows more: the directory reports money that was
 * passed on in the name of the participant that passed it on, and another institution answers that report.
 */
export function isFollowed(
  document: InfractionReportDocument | RefundDocument,
  ispb: string,
  creator: string,
): boolean {
  return (
    creator === ispb ||
    ('CounterpartyParticipant' in document ? document.CounterpartyParticipant : document.ContestedParticipant) === ispb
  );
}

function followed({ reports, refunds }: Listed, ispb: string, { ReporterParticipant }: RecoveryDocument): Listed {
  return {
    reports: reports.filter((one) => isFollowed(one, ispb, ReporterParticipant)),
    refunds: refunds.filter((one) => isFollowed(one, ispb, ReporterParticipant)),
  };
}

/**
 * Reads the documents of a counterparty that the lists showed before the recovery was known, for example after its
 * record was deleted.
 */
async function earlierDocuments(participant: Participant, { Id, CreationTime }: RecoveryDocument): Promise<Listed> {
  const [reports, refunds]: [InfractionReportDocument[], RefundDocument[]] = [[], []];
  for await (const { items } of listReports(participant, 'counterparty', CreationTime))
    reports.push(...items.filter(({ FundsRecoveryId }) => FundsRecoveryId === Id));
  for await (const { items } of listRefunds(participant, 'CONTESTED', CreationTime))
    refunds.push(...items.filter(({ FundsRecoveryId }) => FundsRecoveryId === Id));
  return { reports, refunds };
}

interface ObserveOptions {
  /** The participant, or one behind it, that the recovery concerns. */
  readonly ispb: string;
  /** Business time before the reads. */
  readonly at: Date;
  readonly known: RecoveryRecord | null;
  readonly listed?: Listed;
  readonly notifications?: readonly NotificationDocument[];
  readonly page?: Provenance | null;
  readonly gapSince?: string | null;
}

/**
 * Reads everything that the directory shows about a recovery. Returns null if the directory does not show the recovery.
 */
export async function observe(
  participant: Participant,
  id: string,
  { ispb, at, known, listed = nothingListed, notifications = [], page = null, gapSince = null }: ObserveOptions,
): Promise<Observation | null> {
  const { directory } = participant;
  const answer = await unlessRefused(directory.getFundsRecovery(participant.ispb, id));
  if (answer === null) return null;
  const recovery = answer.document;
  const { reports, refunds } = await readDocuments(participant, recovery, { ispb, known, listed });
  const graph = known?.snapshot.TrackingGraph ?? null;
  const read =
    graph === null && mayHaveGraph(known, recovery, reports, at)
      ? await unlessRefused(directory.getTrackingGraph(participant.ispb, id))
      : null;
  return {
    ispb,
    at,
    notifications,
    page,
    recovery,
    reports,
    refunds,
    gapSince,
    graph: graph ?? read?.document ?? null,
    read: provenance(participant, answer, at),
  };
}

const hasReached = ({ Status }: RecoveryDocument, status: Status): boolean =>
  rankOf(readStatus(Status) ?? 'COMPLETED') >= rankOf(status);

/**
 * Reads the reports and refunds of a recovery. The creator reads all of them. A counterparty sees only its own, in the
 * lists, which are read once for all recoveries.
 */
async function readDocuments(
  participant: Participant,
  recovery: RecoveryDocument,
  { ispb, known, listed }: Pick<ObserveOptions, 'ispb' | 'known'> & { readonly listed: Listed },
): Promise<Listed> {
  const { directory } = participant;
  if (recovery.ReporterParticipant !== ispb) {
    const own = followed(listed, ispb, recovery);
    return known === null && own.reports.length === 0
      ? followed(await earlierDocuments(participant, recovery), ispb, recovery)
      : own;
  }
  const [reports, refunds] = await Promise.all([
    unlessRefused(directory.listRecoveryInfractionReports(participant.ispb, recovery.Id)),
    hasReached(recovery, 'ANALYSED')
      ? unlessRefused(directory.listRecoveryRefunds(participant.ispb, recovery.Id))
      : null,
  ]);
  return {
    reports: [...listed.reports, ...(reports?.document ?? [])],
    refunds: [...listed.refunds, ...(refunds?.document ?? [])],
  };
}

/**
 * Returns whether to request the graph. A graph that was missing is requested again if the recovery or a report has
 * changed, and otherwise each time the time since the recovery's last change has doubled.
 */
function mayHaveGraph(
  known: RecoveryRecord | null,
  recovery: RecoveryDocument,
  reports: readonly InfractionReportDocument[],
  at: Date,
): boolean {
  if (!hasReached(recovery, 'TRACKED')) return false;
  if (known === null || known.lastReadAt === null) return true;
  const { FundsRecovery: before, InfractionReports: earlier } = known.snapshot;
  const isChanged =
    before.LastModified !== recovery.LastModified ||
    before.Status !== recovery.Status ||
    reports.some(
      (report) => !earlier.some(({ Id, LastModified }) => Id === report.Id && LastModified === report.LastModified),
    );
  const since = toMilliseconds(recovery.LastModified);
  const doublings = (time: number): number => Math.floor(Math.log2(Math.max(1, time - since)));
  return isChanged || doublings(at.getTime()) > doublings(toMilliseconds(known.lastReadAt));
}

/**
 * Reads a recovery if the allowance permits. If not, a known recovery is observed with its stored document and marked
 * to be read soon; nothing can be published about an unknown one yet.
 */
export async function observeWithin(
  { allowance, why }: { readonly allowance: Allowance; readonly why: ReadReason },
  participant: Participant,
  id: string,
  options: ObserveOptions,
): Promise<Observation | 'not_shown' | 'unread'> {
  const { known } = options;
  try {
    if (allowance.take(known, why)) return (await observe(participant, id, options)) ?? 'not_shown';
  } catch (error) {
    if (!(error instanceof DirectoryError) || error.kind !== 'RateLimited') throw error;
    allowance.exhaust();
  }
  return known === null ? 'unread' : storedObservation(participant, known, { ...options, needsRead: true });
}

/** Builds the observation of a known recovery from lists and notifications, without a read of its own document. */
export function storedObservation(
  { source }: Participant,
  known: RecoveryRecord,
  options: ObserveOptions & { readonly needsRead: boolean },
): Observation {
  const { ispb, at, listed = nothingListed, notifications = [], page = null, gapSince = null, needsRead } = options;
  return {
    ispb,
    at,
    notifications,
    page,
    gapSince,
    ...followed(listed, ispb, known.snapshot.FundsRecovery),
    recovery: known.snapshot.FundsRecovery,
    graph: null,
    stored: { needsRead },
    read: page ?? {
      source,
      correlationId: null,
      receivedAt: at.toISOString(),
      signature: 'VERIFIED',
      sha256: null,
    },
  };
}

export function provenance({ source }: Participant, { correlationId, sha256 }: Envelope, at: Date): Provenance {
  return {
    source,
    correlationId,
    receivedAt: at.toISOString(),
    signature: 'VERIFIED',
    sha256,
  };
}

/**
 * Kinds of refusal that are expected for parts of a recovery that do not exist yet, or that only its creator may read.
 */
const expectedRefusals: readonly DirectoryErrorKind[] = ['NotFound', 'Forbidden', 'BadRequest'];

async function unlessRefused<T>(read: Promise<T>): Promise<T | null> {
  try {
    return await read;
  } catch (error) {
    if (error instanceof DirectoryError && expectedRefusals.includes(error.kind)) return null;
    throw error;
  }
}
