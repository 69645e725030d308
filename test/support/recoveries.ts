/** Recoveries that are stored as if read from the directory. Used by tests and the benchmark. */
import { randomUUID } from 'node:crypto';
import type { Environment } from '../../server/contract/operation.ts';
import type { Database } from '../../server/database/index.ts';
import { applyObservations as takeInObservations } from '../../server/modules/recoveries/apply-observations.ts';
import type { Observation } from '../../server/modules/recoveries/observation.ts';
import { standardStageLimits } from '../../server/modules/recoveries/recovery.ts';

export const ISPB = '40511220';
export const COUNTERPARTY = '90400888';
const hour = 60 * 60_000;

export interface RecoveryOptions {
  readonly environment?: Environment;
  /**
   * State of the recovery in the directory: `ANALYSED` has answered reports, `REFUNDING` an open refund, `COMPLETED`
   * paid ones.
   */
  readonly status?: 'CREATED' | 'AWAITING_ANALYSIS' | 'ANALYSED' | 'REFUNDING' | 'COMPLETED';
  readonly createdAt?: Date;
  /** Time of the analysis; by default a day after the creation. */
  readonly analysedAt?: Date;
  readonly role?: 'SENT' | 'RECEIVED';
  /** Time at which the recovery was read; by default now. */
  readonly readAt?: Date;
  /** Tax number of the person whose account is refunded. */
  readonly taxId?: string;
  /** Elements of the directory's document that are added to the recovery or replace its own. */
  readonly recovery?: Readonly<Record<string, string>>;
}

/**
 * Stores a recovery as if it had just been read from the directory, with its events: two reports, two refunds and a
 * graph.
 */
export async function takeInRecovery(
  database: Database,
  tenantId: string,
  options: RecoveryOptions = {},
): Promise<string> {
  const { environment = 'live' } = options;
  const seen = observation(options);
  await database.transaction({ tenantId }, (tx) => takeInObservations(tx, environment, [seen], standardStageLimits));
  return seen.recovery.Id;
}

/** Returns what a read of such a recovery shows. */
export function observation({
  status = 'COMPLETED',
  role = 'SENT',
  createdAt = new Date('2026-11-02T21:04:11.482Z'),
  taxId = '52998224725',
  recovery = {},
  ...rest
}: RecoveryOptions): Observation {
  const begun = createdAt.getTime();
  const { analysedAt = new Date(begun + 24 * hour), readAt = new Date() } = rest;
  const iso = (milliseconds: number): string => new Date(milliseconds).toISOString();
  const answered = status === 'ANALYSED' || status === 'REFUNDING' || status === 'COMPLETED';
  const paid = status === 'COMPLETED';
  const modified = {
    CREATED: begun,
    AWAITING_ANALYSIS: begun + 2000,
    ANALYSED: analysedAt.getTime(),
    REFUNDING: analysedAt.getTime() + hour,
    COMPLETED: analysedAt.getTime() + 3 * hour,
  }[status];
  const id = recovery['Id'] ?? randomUUID();
  const settled = iso(begun - hour);
  const transaction = (kind: 'E' | 'D', ispb: string, time: string): string =>
    `${kind}${ispb}${time.replaceAll(/\D/g, '').slice(0, 12)}${randomUUID().slice(-11)}`;
  const root = transaction('E', ISPB, settled);
  const details = 'The customer did not recognise the payment.';
  const contact = { Email: 'recovery@example.com', Phone: '+5561900000000' };
  const payments = [
    {
      transaction: root,
      amount: '812.40',
      from: '1',
      to: '2',
    },
    {
      transaction: transaction('E', COUNTERPARTY, settled),
      amount: '500.05',
      from: '2',
      to: '3',
    },
  ];
  const parties =
    role === 'SENT' ? { reporter: ISPB, receiver: COUNTERPARTY } : { reporter: COUNTERPARTY, receiver: ISPB };
  const reports =
    status === 'CREATED'
      ? []
      : payments.map(({ transaction, amount }, index) => ({
          Id: randomUUID(),
          FundsRecoveryId: id,
          TransactionId: transaction,
          Reason: 'REFUND_REQUEST',
          SituationType: 'SCAM',
          ReportDetails: details,
          Status: answered ? 'CLOSED' : 'OPEN',
          InfractionAmount: amount,
          ReporterParticipant: parties.reporter,
          CounterpartyParticipant: parties.receiver,
          ...(answered && { AnalysisResult: 'AGREED', AnalysisDetails: 'Analysed.' }),
          CreationTime: iso(begun + 1000 + index),
          LastModified: answered ? analysedAt.toISOString() : iso(begun + 1000 + index),
        }));
  const refunds =
    status === 'REFUNDING' || paid
      ? reports.slice(0, paid ? 2 : 1).map((report, index) => ({
          Id: randomUUID(),
          FundsRecoveryId: id,
          InfractionReportId: report.Id,
          TransactionId: report.TransactionId,
          RefundReason: 'FRAUD',
          RefundAmount: report.InfractionAmount,
          RefundDetails: 'Return of a disputed payment.',
          RefundAccount: {
            TaxIdNumber: taxId,
            Participant: parties.reporter,
            Branch: '0001',
            AccountNumber: '9876543210',
            AccountType: 'CACC',
          },
          MonitorAccount: String(!paid),
          Status: paid ? 'CLOSED' : 'OPEN',
          RequestingParticipant: parties.reporter,
          ContestedParticipant: parties.receiver,
          ...(paid &&
            (index === 0
              ? {
                  AnalysisResult: 'PARTIALLY_ACCEPTED',
                  EffectiveRefundedAmount: '312.35',
                  RefundTransactionId: transaction('D', parties.receiver, iso(analysedAt.getTime() + 2 * hour)),
                }
              : { AnalysisResult: 'REJECTED', RefundRejectionReason: 'NO_BALANCE', EffectiveRefundedAmount: '0.00' })),
          CreationTime: iso(analysedAt.getTime() + hour + index),
          LastModified: iso(analysedAt.getTime() + (paid ? 2 : 1) * hour + index),
        }))
      : [];
  const graph = {
    FundsRecoveryId: id,
    RootTransactionId: root,
    CreationTime: iso(begun + 500),
    Parameters: {
      MinTransactionAmount: '200.00',
      MaxTransactions: '5',
      HopWindow: 'PT2H',
      MaxHops: '2',
    },
    Persons: [
      { Id: '101', Type: 'NATURAL_PERSON' },
      { Id: '102', Type: 'LEGAL_PERSON', EntityCreationDate: '2026-09-14T03:00:00.000Z' },
    ],
    Accounts: [
      ['1', ISPB, '101'],
      ['2', COUNTERPARTY, '102'],
      ['3', COUNTERPARTY, '102'],
    ].map(([Id = '', Participant = '', OwnerId = '']) => ({
      Id,
      OwnerId,
      Participant,
      OpeningDate: '2026-10-01T03:00:00.000Z',
    })),
    Transactions: payments.map(({ transaction, amount, from, to }) => ({
      Id: transaction,
      DebtorAccountId: from,
      CreditorAccountId: to,
      Amount: amount,
      RefundableAmount: amount,
      SettlementTime: settled,
    })),
  };
  const notification = (event: string, at: number) => ({
    Id: String(at),
    Event: `FUNDS_RECOVERY_${event}`,
    EntityType: 'FUNDS_RECOVERY',
    EntityId: id,
    Timestamp: iso(at),
  });
  const notifications = [
    ...(answered ? [notification('ANALYSED', analysedAt.getTime())] : []),
    ...(paid ? [notification('COMPLETED', modified)] : []),
  ];
  const read = {
    source: 'DICT',
    correlationId: '0'.repeat(32),
    receivedAt: readAt.toISOString(),
    signature: 'VERIFIED',
    sha256: '0'.repeat(64),
  } as const;
  return {
    ispb: ISPB,
    at: readAt,
    notifications,
    page: read,
    reports,
    refunds,
    gapSince: null,
    graph: status === 'CREATED' || role === 'RECEIVED' ? null : graph,
    recovery: {
      Id: id,
      Status: status,
      RootTransactionId: root,
      ReporterParticipant: parties.reporter,
      SituationType: 'SCAM',
      ReportDetails: details,
      ContactInformation: contact,
      CreationTime: iso(begun),
      LastModified: iso(modified),
      ...recovery,
    },
    read,
  };
}
