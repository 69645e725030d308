/**
 * This file writes the records of the simulator as the documents of the directory (DICT API 2.12), with its elements in
 * its order. A run whose documents are `MINIMAL` leaves out what the directory may leave out. Used by operations.ts.
 */
import type { Document, DocumentValue } from '../../../providers/directory/index.ts';
import type { Notification, Recovery, Refund, Report, Run } from '../core/model.ts';
import { day, decimal, digits, iso, leastRootAmount, uuidOf } from '../core/values.ts';
import { directorySchema, type DocumentName } from './schema.ts';

export function recoveryDocument(recovery: Recovery): Document {
  const { updates } = recovery;
  return written('FundsRecovery', recovery, {
    RootTransactionId: recovery.rootTransactionId,
    SituationType: recovery.situation,
    ReportDetails:
      updates === 0
        ? 'The customer did not recognise the payment.'
        : `The customer did not recognise the payment. Update ${updates}.`,
    ContactInformation: contact,
    Id: recovery.id,
    Status: recovery.status,
    ReporterParticipant: recovery.creator,
    CreationTime: iso(recovery.createdAt),
    LastModified: iso(recovery.modifiedAt),
    FlowType: 'AUTOMATED',
  });
}

const contact: Document = { Email: 'recovery@example.com', Phone: '+5561900000000' };

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
  return written('InfractionReport', recovery, {
    TransactionId: report.transactionId,
    Reason: 'REFUND_REQUEST',
    SituationType: recovery.situation,
    ReportDetails: 'The customer did not recognise the payment.',
    ContactInformation: contact,
    Id: report.id,
    FundsRecoveryId: recovery.id,
    Status: report.status,
    ReporterParticipant: report.reporter,
    CounterpartyParticipant: report.counterparty,
    FraudMarkerId: report.result === 'AGREED' ? uuidOf(report.id, 'fraud marker') : undefined,
    AnalysisResult: report.result ?? undefined,
    AnalysisDetails: report.result !== null && details ? 'Analysed by the receiver.' : undefined,
    InfractionAmount: decimal(report.amount),
    CreationTime: iso(report.createdAt),
    LastModified: iso(report.modifiedAt),
  });
}

export function refundDocument(recovery: Recovery, refund: Refund): Document {
  const closed = refund.status === 'CLOSED';
  return written('Refund', recovery, {
    TransactionId: refund.report.transactionId,
    RefundReason: recovery.refundReason,
    RefundAmount: decimal(refund.amount),
    RefundDetails: 'Return of a payment that the customer did not recognise.',
    Id: refund.id,
    FundsRecoveryId: recovery.id,
    InfractionReportId: refund.report.id,
    Status: refund.status,
    RequestingParticipant: recovery.creator,
    ContestedParticipant: refund.report.counterparty,
    AnalysisResult: refund.result ?? undefined,
    AnalysisDetails: closed ? 'Answered by the receiver.' : undefined,
    RefundRejectionReason: refund.rejection ?? undefined,
    RefundTransactionId: refund.transactionId ?? undefined,
    RefundAccount: written('RefundAccount', recovery, {
      TaxIdNumber: digits(11, `${recovery.id}|payer`),
      Participant: recovery.creator,
      Branch: '0001',
      AccountNumber: digits(10, `${recovery.id}|account`),
      AccountType: 'CACC',
    }),
    // An account is monitored for later balances until the money has been returned in full.
    MonitorAccount: String(!closed || refund.returned < refund.amount),
    EffectiveRefundedAmount: closed ? decimal(refund.returned) : undefined,
    CreationTime: iso(refund.createdAt),
    LastModified: iso(refund.modifiedAt),
  });
}

/** Returns the tracking graph: accounts and payments under pseudonymous ids. Null before the directory has built it. */
export function graphDocument({ recovery, payments }: Run): Document | null {
  if (recovery === null || recovery.graphBuiltAt === null) return null;
  const holders = [
    { name: 'payer', participant: recovery.creator },
    ...payments.map(({ label, receiver }) => ({ name: label, participant: receiver })),
  ];
  const account = (name: string): string => String(1 + holders.findIndex((holder) => holder.name === name));
  const person = (index: number): string => String(101 + index);
  // Fraudsters often use the account of a company founded for this purpose.
  const isCompany = (index: number): boolean => index > 0 && index === holders.length - 1;
  return written('TrackingGraph', recovery, {
    FundsRecoveryId: recovery.id,
    RootTransactionId: recovery.rootTransactionId,
    CreationTime: iso(recovery.graphBuiltAt),
    Parameters: {
      MinTransactionAmount: leastRootAmount,
      MaxTransactions: '5',
      HopWindow: 'PT2H',
      MaxHops: '2',
    },
    Persons: holders.map((_, index) =>
      written('Person', recovery, {
        Id: person(index),
        Type: isCompany(index) ? 'LEGAL_PERSON' : 'NATURAL_PERSON',
        EntityCreationDate: isCompany(index) ? iso(recovery.createdAt - 60 * day) : undefined,
      }),
    ),
    Accounts: holders.map(({ name, participant }, index) =>
      written('Account', recovery, {
        Id: account(name),
        OwnerId: person(index),
        Participant: participant,
        OpeningDate: iso(recovery.createdAt - (index === 0 ? 900 : 30) * day),
      }),
    ),
    Transactions: payments.map(({ label, from, transactionId, amount, settledAt }) => ({
      Id: transactionId,
      DebtorAccountId: account(from ?? 'payer'),
      CreditorAccountId: account(label),
      Amount: decimal(amount),
      RefundableAmount: decimal(amount),
      SettlementTime: iso(settledAt),
    })),
  });
}

/** Returns the document in the form of the run: complete, or without elements that the schema does not require. */
function written(name: DocumentName, { documents }: Recovery, document: Document): Document {
  if (documents === 'COMPLETE') return document;
  return Object.fromEntries(
    Object.entries(document).filter(
      (entry): entry is [string, DocumentValue] => entry[1] !== undefined && isAskedFor(name, entry[0], document),
    ),
  );
}

function isAskedFor(name: DocumentName, element: string, document: Document): boolean {
  const presence = directorySchema[name][element]?.presence;
  if (typeof presence === 'object') return document[presence.requiredIf[0]] === presence.requiredIf[1];
  return presence !== 'optional';
}
