/**
 * This file converts a stored recovery, its reports, refunds and tracking graph to the form of the contract. The
 * directory does not guarantee the content of its text elements, so an unreadable value becomes null and a text that is
 * too long is cut. Used by the handlers, the list and the export.
 */
import { uuidIn } from '../../base/uuid.ts';
import type { components } from '../../contract/generated/types.ts';
import type { Document, DocumentValue } from '../../providers/directory/index.ts';
import type { RecordRow } from './read-store.ts';
import { deadlineSource } from './recovery.ts';
import { refundableAmount, type TracedPayment } from './refundable.ts';

export function text(leaf: unknown, maxLength: number): string | null {
  return typeof leaf === 'string' && leaf !== '' ? leaf.slice(0, maxLength) : null;
}

export function instant(leaf: unknown): string | null {
  const time = typeof leaf === 'string' ? Date.parse(leaf) : Number.NaN;
  return Number.isNaN(time) ? null : new Date(time).toISOString();
}

/**
 * Converts a decimal of the directory to minor units (cents) by moving its digits, because
 * floating-point arithmetic would round.
 */
export function minorUnits(leaf: unknown): number | null {
  const [, whole, fraction = ''] = (typeof leaf === 'string' && /^(\d{1,12})(?:\.(\d{1,2}))?$/.exec(leaf)) || [];
  return whole === undefined ? null : Number(whole + fraction.padEnd(2, '0'));
}

/** Currency of every amount, because the directory has no other. */
export const currency = 'BRL';

export function money(leaf: unknown): { readonly amount: number; readonly currency: string } | null {
  const amount = minorUnits(leaf);
  return amount === null ? null : { amount, currency };
}

type Schemas = components['schemas'];

export function presentRecord(row: RecordRow): Schemas['FundsRecoveryRecord'] {
  return {
    id: row.id,
    environment: row.environment,
    participant: row.ispb,
    role: row.role,
    status: row.status,
    situationType: text(row.situation, 40),
    rootTransactionId: row.rootTransactionId.slice(0, 32),
    money: amountsOf(row),
    revision: row.revision,
    nextDeadline:
      row.nextDeadlineAt === null || row.nextDeadlineStage === null
        ? null
        : {
            fundsRecoveryId: row.id,
            stage: row.nextDeadlineStage,
            setBy: deadlineSource(row.nextDeadlineStage),
            dueAt: row.nextDeadlineAt,
          },
    createdAt: row.createdAt,
    analysedAt: row.analysedAt,
    updatedAt: row.updatedAt,
  };
}

function amountsOf({ rootTransactionId, payments, reports, refunds }: RecordRow): Schemas['RecoveryMoney'] {
  const traced = tracedPayments(payments);
  return {
    currency,
    rootAmount: traced.find(({ id }) => id === rootTransactionId)?.amount ?? null,
    refundableAmount: refundableOf(rootTransactionId, traced, reports, refunds),
    refundedAmount: sum(
      refunds
        .filter(({ Status }) => Status === 'CLOSED')
        .map((refund) => minorUnits(refund['EffectiveRefundedAmount']) ?? 0),
    ),
  };
}

/**
 * Returns null until a report is answered. Without a graph the overlap of several reports is unknown, so the amount is
 * then known only if there is a single report.
 */
function refundableOf(
  rootId: string,
  traced: readonly TracedPayment[],
  reports: RecordRow['reports'],
  refunds: RecordRow['refunds'],
): number | null {
  const answered = reports.filter(({ Status }) => Status === 'CLOSED');
  if (answered.length === 0) return null;
  const agreed = answered
    .filter(({ AnalysisResult }) => AnalysisResult === 'AGREED')
    .map((report) => {
      const refund = refunds.find(
        ({ InfractionReportId, Status }) => InfractionReportId === report.Id && Status === 'CLOSED',
      );
      return {
        paymentId: text(report['TransactionId'], 32) ?? '',
        returnable:
          minorUnits(refund === undefined ? report['InfractionAmount'] : refund['EffectiveRefundedAmount']) ?? 0,
      };
    });
  if (traced.length > 0) return refundableAmount(rootId, traced, agreed);
  return reports.length === 1 ? sum(agreed.map(({ returnable }) => returnable)) : null;
}

/** Adds amounts in minor units. They are integers, so the sum is exact. */
function sum(amounts: readonly number[]): number {
  return amounts.reduce((total, amount) => total + amount, 0);
}

/**
 * Time limit of a report or refund. Once the whole recovery has ended nothing is due, even if a part of it was never
 * closed.
 */
export interface Due {
  readonly limit: number;
  readonly isOver: boolean;
}

function dueAt(status: string, creationTime: string, { limit, isOver }: Due): string | null {
  const start = Date.parse(creationTime);
  return isOver || (status !== 'OPEN' && status !== 'ACKNOWLEDGED') || Number.isNaN(start)
    ? null
    : new Date(start + limit).toISOString();
}

export function presentReport(report: RecordRow['reports'][number], due: Due): Schemas['InfractionReport'] {
  return {
    id: uuidIn(report.Id),
    transactionId: text(report['TransactionId'], 32) ?? '',
    status: report.Status.slice(0, 40),
    reason: text(report['Reason'], 40),
    reportDetails: text(report['ReportDetails'], 2000),
    reporterParticipant: report.ReporterParticipant.slice(0, 8),
    counterpartyParticipant: report.CounterpartyParticipant.slice(0, 8),
    analysisResult: text(report.AnalysisResult, 40),
    infractionAmount: money(report['InfractionAmount']),
    dueAt: dueAt(report.Status, report.CreationTime, due),
    createdAt: instant(report.CreationTime) ?? report.CreationTime,
    updatedAt: instant(report.LastModified) ?? report.LastModified,
  };
}

export function presentRefund(refund: RecordRow['refunds'][number], due: Due): Schemas['Refund'] {
  return {
    id: uuidIn(refund.Id),
    infractionReportId: refund.InfractionReportId == null ? null : uuidIn(refund.InfractionReportId),
    transactionId: text(refund['TransactionId'], 32) ?? '',
    status: refund.Status.slice(0, 40),
    reason: text(refund['RefundReason'], 40),
    refundDetails: text(refund['RefundDetails'], 2000),
    requestingParticipant: refund.RequestingParticipant.slice(0, 8),
    contestedParticipant: refund.ContestedParticipant.slice(0, 8),
    analysisResult: text(refund.AnalysisResult, 40),
    rejectionReason: text(refund['RefundRejectionReason'], 40),
    refundAmount: money(refund['RefundAmount']),
    effectiveRefundedAmount: money(refund['EffectiveRefundedAmount']),
    refundTransactionId: text(refund['RefundTransactionId'], 32),
    refundAccount: refundAccount(refund['RefundAccount']),
    monitorAccount: flag(refund['MonitorAccount']),
    dueAt: dueAt(refund.Status, refund.CreationTime, due),
    createdAt: instant(refund.CreationTime) ?? refund.CreationTime,
    updatedAt: instant(refund.LastModified) ?? refund.LastModified,
  };
}

/** Returns null if the directory sends no account. An erasure leaves the participant and the type of the account. */
function refundAccount(account: DocumentValue | undefined): Schemas['RefundAccount'] | null {
  if (!isDocument(account)) return null;
  return {
    taxId: text(account['TaxIdNumber'], 40),
    participant: text(account['Participant'], 8),
    branch: text(account['Branch'], 40),
    accountNumber: text(account['AccountNumber'], 40),
    accountType: text(account['AccountType'], 40),
  };
}

/** Reads a boolean of XML Schema, which may also be written as a digit. */
function flag(leaf: unknown): boolean | null {
  if (leaf === 'true' || leaf === '1') return true;
  return leaf === 'false' || leaf === '0' ? false : null;
}

/** Limit against hostile responses. The directory itself sends few entries: five transactions on each of two hops. */
const MAX_ENTRIES = 1000;

function tracedPayments(payments: DocumentValue | null): TracedPayment[] {
  return entriesOf(payments ?? undefined).map((payment) => ({
    id: text(payment['Id'], 32) ?? '',
    debtor: text(payment['DebtorAccountId'], 64) ?? '',
    creditor: text(payment['CreditorAccountId'], 64) ?? '',
    amount: minorUnits(payment['Amount']) ?? 0,
  }));
}

export function presentGraph(graph: Document): Schemas['TrackingGraph'] {
  const persons = new Map(entriesOf(graph['Persons']).map((person) => [text(person['Id'], 64), person]));
  return {
    createdAt: instant(graph['CreationTime']),
    accounts: entriesOf(graph['Accounts']).map((account) => {
      const personId = text(account['OwnerId'], 64);
      const person = persons.get(personId);
      return {
        id: text(account['Id'], 64) ?? '',
        participant: text(account['Participant'], 8),
        openedAt: instant(account['OpeningDate']),
        personId,
        personType: text(person?.['Type'], 40),
        personFoundedAt: instant(person?.['EntityCreationDate']),
      };
    }),
    transactions: entriesOf(graph['Transactions']).map((transaction) => ({
      id: text(transaction['Id'], 32) ?? '',
      debtorAccountId: text(transaction['DebtorAccountId'], 64) ?? '',
      creditorAccountId: text(transaction['CreditorAccountId'], 64) ?? '',
      amount: money(transaction['Amount']),
      refundableAmount: money(transaction['RefundableAmount']),
      settledAt: instant(transaction['SettlementTime']),
    })),
  };
}

function entriesOf(list: DocumentValue | undefined): readonly Document[] {
  return Array.isArray(list) ? list.filter(isDocument).slice(0, MAX_ENTRIES) : [];
}

function isDocument(value: DocumentValue | undefined): value is Document {
  return typeof value === 'object' && !Array.isArray(value);
}
