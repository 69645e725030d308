import { isDeepStrictEqual } from 'node:util';
import type { NotificationDocument, RecoveryDocument } from '../../providers/directory/index.ts';
import type { Observation } from './observation.ts';
import {
  eventType, type Fact, isTerminal, rankOf, readStatus, type RecoveryRecord, type Role, type Snapshot, type Status, statusKey, toMilliseconds,
} from './recovery.ts';

/**
 * The statuses that a recovery has been through, as far as its documents tell, with the times that they give. A status
 * whose time nothing tells any more is left out: intermediates may be missed.
 *
 * @param analysedAt when the analysis ended, as an earlier read has shown
 */
export function statusFacts(snapshot: Snapshot, role: Role, analysedAt: number | null): Fact[] {
  const { FundsRecovery: recovery, TrackingGraph: graph, InfractionReports: reports, Refunds: refunds } = snapshot;
  const directoryStatus = readStatus(recovery.Status);
  const has = (status: Status): boolean => directoryStatus !== null && directoryStatus !== 'CANCELLED' && rankOf(directoryStatus) >= rankOf(status);
  /** While the directory shows the status, the last change of the record is the one that led to it. */
  const lastChange = (status: Status): number | null => (directoryStatus === status ? toMilliseconds(recovery.LastModified) : null);
  const fact = (status: Status, at: number | null, documents: Fact['documents']): Fact[] => (at === null ? [] : [{
    key: statusKey(recovery.Id, status), eventType: eventType(status), reaches: status, at, origin: 'DERIVED',
    documents: { FundsRecovery: recovery, ...documents },
  }]);

  const created = toMilliseconds(recovery.CreationTime);
  const tracked = graph === null ? lastChange('TRACKED') : toMilliseconds(graph['CreationTime'] as string);
  const opened = awaitingAnalysis(snapshot, tracked);
  return [
    ...fact('CREATED', created, {}),
    ...fact('TRACKED', tracked, { TrackingGraph: graph ?? undefined }),
    ...(has('AWAITING_ANALYSIS') || hadAwaitedAnalysis(snapshot, directoryStatus) ? fact('AWAITING_ANALYSIS', opened ?? lastChange('AWAITING_ANALYSIS'), { InfractionReports: reports }) : []),
    ...(has('ANALYSED') || analysedAt !== null ? fact('ANALYSED', lastChange('ANALYSED') ?? analysedAt ?? lastClosing(snapshot, role), { InfractionReports: reports }) : []),
    ...(has('REFUNDING') ? fact('REFUNDING', firstRefund(snapshot) ?? lastChange('REFUNDING') ?? completedWithoutRefund(snapshot), { Refunds: refunds }) : []),
    ...fact('COMPLETED', lastChange('COMPLETED'), {}),
    ...fact('CANCELLED', lastChange('CANCELLED'), {}),
  ];
}

/** The root's report is opened with the recovery: the wait begins with the reports that follow it, or with it alone, but not before the graph. */
function awaitingAnalysis({ FundsRecovery: { RootTransactionId }, InfractionReports: reports }: Snapshot, tracked: number | null): number | null {
  if (reports.length === 0) return null;
  const onward = reports.filter(({ TransactionId }) => TransactionId !== RootTransactionId);
  return Math.max(Math.min(...(onward.length > 0 ? onward : reports).map(({ CreationTime }) => toMilliseconds(CreationTime))), tracked ?? 0);
}

/** The root's report is there from the beginning: a cancelled recovery has waited for an analysis if there were others, or an answer. */
function hadAwaitedAnalysis({ InfractionReports: reports }: Snapshot, directoryStatus: Status | null): boolean {
  return directoryStatus === 'CANCELLED' && (reports.length > 1 || reports.some(({ AnalysisResult }) => AnalysisResult !== undefined));
}

/** Only the creator sees all reports, and so which was the last. */
function lastClosing({ InfractionReports: reports }: Snapshot, role: Role): number | null {
  if (role === 'RECEIVED' || reports.length === 0 || !reports.every(({ Status }) => Status === 'CLOSED')) return null;
  return Math.max(...reports.map(({ LastModified }) => toMilliseconds(LastModified)));
}

function firstRefund({ Refunds: refunds }: Snapshot): number | null {
  return refunds.length === 0 ? null : Math.min(...refunds.map(({ CreationTime }) => toMilliseconds(CreationTime)));
}

/** Completed without a refund although the root was agreed: refunding began and, having nothing to refund, ended at once. */
function completedWithoutRefund(snapshot: Snapshot): number | null {
  if (rootResult(snapshot) !== 'AGREED') return null;
  return toMilliseconds(snapshot.FundsRecovery.LastModified);
}

export function rootResult({ FundsRecovery: recovery, InfractionReports: reports }: Snapshot): string | null {
  const root = reports.find(({ TransactionId }) => TransactionId === recovery.RootTransactionId);
  return root?.AnalysisResult ?? null;
}

/** Of a report or refund: the fact that it was answered. */
export function answerKeys(id: string): readonly string[] {
  return [`ir:${id}:CLOSED`, `rf:${id}:CLOSED`];
}

const announcedStatuses: ReadonlyMap<string, Status> = new Map([
  [eventType('ANALYSED'), 'ANALYSED'], [eventType('COMPLETED'), 'COMPLETED'], [eventType('CANCELLED'), 'CANCELLED'],
]);

/** The fact that a notification of the directory announces. Names that the directory introduces later are passed through where the contract can carry them. */
export function notificationFact(ispb: string, recovery: RecoveryDocument, notification: NotificationDocument): Fact {
  return {
    key: notificationKeyOf(ispb, recovery.Id, notification),
    eventType: /^[A-Z0-9_]{1,80}$/.test(notification.Event) ? notification.Event : eventType('INFORMATION_UPDATED'),
    reaches: announcedStatuses.get(notification.Event) ?? null, at: toMilliseconds(notification.Timestamp), origin: 'NATIVE',
    documents: { EventNotification: notification, FundsRecovery: recovery },
  };
}

/** A status happens once. Everything else has an identifier, which is unique within a participant only. */
export function notificationKeyOf(ispb: string, recoveryId: string, { Event, Id }: NotificationDocument): string {
  const status = announcedStatuses.get(Event);
  return status === undefined ? `evt:${ispb}:${Id}` : statusKey(recoveryId, status);
}

/** What the creator of a recovery may change after its beginning. */
const editableMembers = ['SituationType', 'ReportDetails', 'ContactInformation'] as const;

/**
 * Notifications that were lost in an outage longer than the directory keeps them: what changed of a known record's
 * information shows in a comparison, as one event.
 */
export function gapFacts(before: RecoveryRecord | null, { FundsRecovery: now }: Snapshot, { gapSince }: Observation): Fact[] {
  if (before === null || gapSince === null) return [];
  const { FundsRecovery: then } = before.snapshot;
  if (editableMembers.every((name) => isDeepStrictEqual(then[name], now[name]))) return [];
  return [{
    key: `gap:${now.Id}:${gapSince}`, eventType: eventType('INFORMATION_UPDATED'), reaches: null, at: toMilliseconds(now.LastModified), origin: 'DERIVED',
    documents: { FundsRecovery: now },
  }];
}

/** A state that the lifecycle does not foresee and that an operator has to look at. */
export type Anomaly = 'unknown_status' | 'conflicting_end';

interface Anomalies {
  readonly facts: readonly Fact[];
  readonly alerts: readonly Anomaly[];
}

/**
 * What the lifecycle does not foresee. A status that nobody knows yet keeps the last known one and is told as a change of
 * information that carries the raw value; of two ends that contradict each other the one that the directory shows holds.
 */
export function findAnomalies(before: RecoveryRecord | null, { FundsRecovery: recovery }: Snapshot, directoryStatus: Status | null): Anomalies {
  const key = `fr:${recovery.Id}:STATUS:${recovery.Status.slice(0, 80)}`;
  if (directoryStatus === null) {
    const fact: Fact = {
      key, eventType: eventType('INFORMATION_UPDATED'), reaches: null, at: toMilliseconds(recovery.LastModified), origin: 'DERIVED',
      documents: { FundsRecovery: recovery },
    };
    return { facts: [fact], alerts: before?.keys.includes(key) === true ? [] : ['unknown_status'] };
  }
  const conflict = before !== null && isTerminal(before.status) && isTerminal(directoryStatus) && before.status !== directoryStatus
    && readStatus(before.snapshot.FundsRecovery.Status) !== directoryStatus;
  return { facts: [], alerts: conflict ? ['conflicting_end'] : [] };
}
