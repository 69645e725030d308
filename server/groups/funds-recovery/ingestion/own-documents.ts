import type { InfractionReportDocument, RecoveryDocument, RefundDocument } from '../../../providers/directory/index.ts';
import { listReports, listRefunds } from './lists.ts';
import type { Participant } from './participant.ts';
import type { RecoveryRecord } from './record.ts';

/** A counterparty reads its own reports of a recovery from the list of all that it has received. */
export async function reportsOf(participant: Participant, ispb: string, recovery: RecoveryDocument, known: RecoveryRecord | null): Promise<InfractionReportDocument[]> {
  const found: InfractionReportDocument[] = [];
  for await (const { items } of listReports(participant, 'counterparty', since(recovery, known?.snapshot.InfractionReports))) {
    found.push(...items.filter(({ FundsRecoveryId, CounterpartyParticipant }) => FundsRecoveryId === recovery.Id && CounterpartyParticipant === ispb));
  }
  return found;
}

export async function refundsOf(participant: Participant, ispb: string, recovery: RecoveryDocument, known: RecoveryRecord | null): Promise<RefundDocument[]> {
  const found: RefundDocument[] = [];
  for await (const { items } of listRefunds(participant, 'CONTESTED', since(recovery, known?.snapshot.Refunds))) {
    found.push(...items.filter(({ FundsRecoveryId, ContestedParticipant }) => FundsRecoveryId === recovery.Id && ContestedParticipant === ispb));
  }
  return found;
}

/** Nothing of a recovery is older than it, and what is known of it need not be read again. */
function since({ CreationTime }: RecoveryDocument, known: readonly { readonly LastModified: string }[] = []): string {
  return [CreationTime, ...known.map(({ LastModified }) => LastModified)].reduce((latest, time) => (Date.parse(time) > Date.parse(latest) ? time : latest));
}
