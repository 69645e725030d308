/** This file writes the records of the simulator as the documents of the directory (DICT API 2.12), with its elements in its order. */
import type { Document } from '../../../providers/directory/index.ts';
import type { Notification, Recovery, Refund, Report, Run } from '../core/model.ts';
import { decimal, iso, uuidOf } from '../core/values.ts';

export function recoveryDocument(recovery: Recovery): Document {
  const { updates } = recovery;
  return {
    RootTransactionId: recovery.rootTransactionId,
    SituationType: recovery.situation,
    ReportDetails: updates === 0 ? 'The customer did not recognise the payment.' : `The customer did not recognise the payment. Update ${updates}.`,
    ContactInformation: { Email: 'recovery@example.com', Phone: '+5561900000000' },
    Id: recovery.id,
    Status: recovery.status,
    ReporterParticipant: recovery.creator,
    CreationTime: iso(recovery.createdAt),
    LastModified: iso(recovery.modifiedAt),
    FlowType: 'AUTOMATED',
  };
}

export function notificationDocument(notification: Notification): Document {
  return {
    Id: notification.id,
    Event: `FUNDS_RECOVERY_${notification.event}`,
    EntityType: 'FUNDS_RECOVERY',
    EntityId: notification.entityId,
    Timestamp: iso(notification.at),
    Participant: notification.participant,
  };
}

export function reportDocument(recovery: Recovery, report: Report, details: boolean): Document {
  return {
    TransactionId: report.transactionId,
    Reason: 'REFUND_REQUEST',
    SituationType: recovery.situation,
    Id: report.id,
    FundsRecoveryId: recovery.id,
    Status: report.status,
    ReporterParticipant: recovery.creator,
    CounterpartyParticipant: report.counterparty,
    FraudMarkerId: report.result === 'AGREED' ? uuidOf(report.id, 'fraud marker') : undefined,
    AnalysisResult: report.result ?? undefined,
    AnalysisDetails: report.result !== null && details ? 'Analysed by the receiver.' : undefined,
    InfractionAmount: decimal(report.amount),
    TransactionDepth: { A: '1', B: '2', C: '3' }[report.label],
    CreationTime: iso(report.createdAt),
    LastModified: iso(report.modifiedAt),
  };
}

export function refundDocument(recovery: Recovery, refund: Refund): Document {
  const closed = refund.status === 'CLOSED';
  return {
    TransactionId: refund.report.transactionId,
    RefundReason: 'FRAUD',
    RefundAmount: decimal(refund.amount),
    Id: refund.id,
    FundsRecoveryId: recovery.id,
    InfractionReportId: refund.report.id,
    Status: refund.status,
    RequestingParticipant: recovery.creator,
    ContestedParticipant: refund.report.counterparty,
    AnalysisResult: refund.result ?? undefined,
    RefundRejectionReason: refund.rejection ?? undefined,
    RefundTransactionId: refund.returned > 0 ? refund.transactionId : undefined,
    EffectiveRefundedAmount: closed ? decimal(refund.returned) : undefined,
    MonitorAccount: closed ? String(refund.returned < refund.amount) : undefined,
    CreationTime: iso(refund.createdAt),
    LastModified: iso(refund.modifiedAt),
  };
}

/** The tracking graph: accounts and payments under pseudonymous ids; null before the directory has built it. */
export function graphDocument({ recovery, payments }: Run): Document | null {
  if (recovery === null || recovery.graphBuiltAt === null) return null;
  const holders = [{ name: 'payer', participant: recovery.creator }, ...payments.map(({ label, receiver }) => ({ name: label, participant: receiver }))];
  const person = (name: string): string => uuidOf(recovery.id, 'person', name);
  const account = (name: string): string => uuidOf(recovery.id, 'account', name);
  return {
    FundsRecoveryId: recovery.id,
    RootTransactionId: recovery.rootTransactionId,
    CreationTime: iso(recovery.graphBuiltAt),
    Parameters: { MinTransactionAmount: '200.00', MaxTransactions: '5', HopWindow: 'PT2H', MaxHops: '2' },
    Persons: holders.map(({ name }) => ({ Id: person(name), Type: 'NATURAL_PERSON' })),
    Accounts: holders.map(({ name, participant }) => ({ Id: account(name), PersonId: person(name), Participant: participant, AccountType: 'CACC' })),
    Transactions: payments.map(({ label, from, transactionId, amount, settledAt }) => ({
      Id: transactionId,
      DebtorAccountId: account(from ?? 'payer'),
      CreditorAccountId: account(label),
      Amount: decimal(amount),
      RefundableAmount: decimal(amount),
      SettlementTime: iso(settledAt),
    })),
  };
}
