import { randomUUID } from 'node:crypto';
import type { Environment } from '../../server/contract/operation.ts';
import type { Database } from '../../server/database/index.ts';
import { applyObservations as takeInObservations } from '../../server/modules/recoveries/apply-observations.ts';
import type { Observation } from '../../server/modules/recoveries/observation.ts';
import { standardStageLimits } from '../../server/modules/recoveries/recovery.ts';

export const ISPB = '40511220';
const COUNTERPARTY = '90400888';
const hour = 60 * 60_000;

export interface RecoveryOptions {
  readonly environment?: Environment;
  /** What the directory shows of it: `ANALYSED` has answered reports, `REFUNDING` an open refund, `COMPLETED` has paid ones. */
  readonly status?: 'CREATED' | 'AWAITING_ANALYSIS' | 'ANALYSED' | 'REFUNDING' | 'COMPLETED';
  readonly createdAt?: Date;
  /** Of the analysis, a day after the creation unless told otherwise. */
  readonly analysedAt?: Date;
  readonly role?: 'SENT' | 'RECEIVED';
  /** When it was read; now unless told otherwise. */
  readonly readAt?: Date;
  /** Elements of the directory that replace or join those of the recovery. */
  readonly recovery?: Readonly<Record<string, string>>;
}

/** Takes a recovery in as if it had just been read from the directory, with its events; two reports, two refunds and a graph. */
export async function takeInRecovery(database: Database, tenantId: string, options: RecoveryOptions = {}): Promise<string> {
  const { environment = 'live' } = options;
  const seen = observation(options);
  await database.transaction({ tenantId }, (tx) => takeInObservations(tx, environment, [seen], standardStageLimits));
  return seen.recovery.Id;
}

function observation({ status = 'COMPLETED', role = 'SENT', createdAt = new Date('2026-11-02T21:04:11.482Z'), recovery = {}, ...rest }: RecoveryOptions): Observation {
  const begun = createdAt.getTime();
  const { analysedAt = new Date(begun + 24 * hour), readAt = new Date() } = rest;
  const iso = (milliseconds: number): string => new Date(milliseconds).toISOString();
  const answered = status === 'ANALYSED' || status === 'REFUNDING' || status === 'COMPLETED';
  const paid = status === 'COMPLETED';
  const modified = { CREATED: begun, AWAITING_ANALYSIS: begun + 2000, ANALYSED: analysedAt.getTime(), REFUNDING: analysedAt.getTime() + hour, COMPLETED: analysedAt.getTime() + 3 * hour }[status];
  const id = recovery['Id'] ?? randomUUID();
  const root = `E${ISPB}${randomUUID().replaceAll('-', '').slice(0, 23)}`;
  const payments = [{ transaction: root, amount: '812.40', from: 'a1', to: 'a2' }, { transaction: `E${COUNTERPARTY}${root.slice(9)}`, amount: '500.05', from: 'a2', to: 'a3' }];
  const parties = role === 'SENT' ? { reporter: ISPB, receiver: COUNTERPARTY } : { reporter: COUNTERPARTY, receiver: ISPB };
  const reports = status === 'CREATED' ? [] : payments.map(({ transaction, amount }, index) => ({
    Id: randomUUID(), FundsRecoveryId: id, TransactionId: transaction, Status: answered ? 'CLOSED' : 'OPEN', InfractionAmount: amount,
    ReporterParticipant: parties.reporter, CounterpartyParticipant: parties.receiver, ...answered && { AnalysisResult: 'AGREED', AnalysisDetails: 'Analysed.' },
    CreationTime: iso(begun + 1000 + index), LastModified: answered ? analysedAt.toISOString() : iso(begun + 1000 + index),
  }));
  const refunds = status === 'REFUNDING' || paid ? reports.slice(0, paid ? 2 : 1).map((report, index) => ({
    Id: randomUUID(), FundsRecoveryId: id, InfractionReportId: report.Id, TransactionId: report.TransactionId, RefundReason: 'FRAUD', RefundAmount: report.InfractionAmount,
    Status: paid ? 'CLOSED' : 'OPEN', RequestingParticipant: parties.reporter, ContestedParticipant: parties.receiver,
    ...paid && (index === 0
      ? { AnalysisResult: 'PARTIALLY_ACCEPTED', EffectiveRefundedAmount: '312.35', RefundTransactionId: `D${report.TransactionId.slice(1)}` }
      : { AnalysisResult: 'REJECTED', RefundRejectionReason: 'NO_BALANCE', EffectiveRefundedAmount: '0.00' }),
    CreationTime: iso(analysedAt.getTime() + hour + index), LastModified: iso(analysedAt.getTime() + (paid ? 2 : 1) * hour + index),
  })) : [];
  const graph = {
    FundsRecoveryId: id, RootTransactionId: root, CreationTime: iso(begun + 500), Persons: [{ Id: 'p1' }, { Id: 'p2' }],
    Accounts: [['a1', ISPB, 'p1'], ['a2', COUNTERPARTY, 'p2'], ['a3', COUNTERPARTY, 'p2']].map(([Id = '', Participant = '', PersonId = '']) => ({ Id, Participant, PersonId })),
    Transactions: payments.map(({ transaction, amount, from, to }) => ({
      Id: transaction, DebtorAccountId: from, CreditorAccountId: to, Amount: amount, RefundableAmount: amount, SettlementTime: iso(begun - hour),
    })),
  };
  const notification = (event: string, at: number) => ({ Id: String(at), Event: `FUNDS_RECOVERY_${event}`, EntityType: 'FUNDS_RECOVERY', EntityId: id, Timestamp: iso(at) });
  const notifications = [...answered ? [notification('ANALYSED', analysedAt.getTime())] : [], ...paid ? [notification('COMPLETED', modified)] : []];
  const read = { source: 'DICT', correlationId: '0'.repeat(32), receivedAt: readAt.toISOString(), signature: 'VERIFIED', sha256: '0'.repeat(64) } as const;
  return {
    ispb: ISPB, at: readAt, notifications, page: read, reports, refunds, gapSince: null,
    graph: status === 'CREATED' || role === 'RECEIVED' ? null : graph,
    recovery: {
      Id: id, Status: status, RootTransactionId: root, ReporterParticipant: parties.reporter, SituationType: 'SCAM', ReportDetails: 'The customer did not recognise the payment.',
      ContactInformation: { Email: 'recovery@example.com', Phone: '+5561900000000' }, CreationTime: iso(begun), LastModified: iso(modified), ...recovery,
    },
    read,
  };
}
