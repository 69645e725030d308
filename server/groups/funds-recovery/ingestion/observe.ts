import { DirectoryError, type DirectoryErrorKind, type Envelope, type NotificationDocument } from '../../../providers/directory/index.ts';
import { reportsOf, refundsOf } from './own-documents.ts';
import type { Observation, Provenance } from './observation.ts';
import type { Participant } from './participant.ts';
import type { RecoveryRecord } from './record.ts';
import { rankOf, readStatus } from './status.ts';

export interface Occasion {
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
export async function observe(participant: Participant, id: string, { ispb, at, known, notifications = [], page = null, gapSince = null }: Occasion): Promise<Observation | null> {
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
      : reportsOf(participant, ispb, recovery, known),
    isCreator ? unlessRefused(directory.listRecoveryRefunds(participant.ispb, id)).then((list) => list?.document ?? [])
      : refundsOf(participant, ispb, recovery, known),
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
const refusals: readonly DirectoryErrorKind[] = ['NotFound', 'Forbidden', 'BadRequest'];

async function unlessRefused<T>(read: Promise<T>): Promise<T | null> {
  try {
    return await read;
  } catch (error) {
    if (error instanceof DirectoryError && refusals.includes(error.kind)) return null;
    throw error;
  }
}
