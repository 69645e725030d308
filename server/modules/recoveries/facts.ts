/**
 * Lists what the directory's documents show to have happened to a recovery, without input or output. Used by derive.ts
 * and deadlines.ts. A fact without a certain time is left out; a guessed time would be published and could not be
 * corrected.
 */
import { isDeepStrictEqual } from 'node:util';
import type { NotificationDocument, RecoveryDocument } from '../../providers/directory/index.ts';
import type { Observation } from './observation.ts';
import {
  eventType,
  type Fact,
  isTerminal,
  rankOf,
  readStatus,
  type RecoveryRecord,
  type Role,
  type Snapshot,
  type Status,
  statusKey,
  toMilliseconds,
} from './recovery.ts';

/**
 * Lists the statuses that a recovery has been through, as far as its documents show, with their times. Omits a status
 * whose time no document gives any more, so intermediate statuses may be missing.
 *
 * @param analysedAt when the analysis ended, according to an earlier read
 */
export function statusFacts(snapshot: Snapshot, role: Role, analysedAt: number | null): Fact[] {
  const { FundsRecovery: recovery, TrackingGraph: graph, InfractionReports: reports, Refunds: refunds } = snapshot;
  const directoryStatus = readStatus(recovery.Status);
  const has = (status: Status): boolean =>
    directoryStatus !== null && directoryStatus !== 'CANCELLED' && rankOf(directoryStatus) >= rankOf(status);
  /** While the directory shows the status, the last change of the record is the change that led to that status. */
  const lastChange = (status: Status): number | null =>
    directoryStatus === status ? toMilliseconds(recovery.LastModified) : null;
  const fact = (status: Status, at: number | null, documents: Fact['documents']): Fact[] => {
    if (at === null) return [];
    const derived: Fact = {
      key: statusKey(recovery.Id, status),
      eventType: eventType(status),
      reaches: status,
      at,
      origin: 'DERIVED',
      documents: { FundsRecovery: recovery, ...documents },
    };
    return [derived];
  };

  const created = toMilliseconds(recovery.CreationTime);
  const tracked = graph === null ? lastChange('TRACKED') : toMilliseconds(graph['CreationTime'] as string);
  const opened = awaitingAnalysis(snapshot, tracked);
  return [
    ...fact('CREATED', created, {}),
    ...fact('TRACKED', tracked, { TrackingGraph: graph ?? undefined }),
    ...(has('AWAITING_ANALYSIS') || hadAwaitedAnalysis(snapshot, directoryStatus)
      ? fact('AWAITING_ANALYSIS', opened ?? lastChange('AWAITING_ANALYSIS'), { InfractionReports: reports })
      : []),
    ...(has('ANALYSED') || analysedAt !== null
      ? fact('ANALYSED', lastChange('ANALYSED') ?? analysedAt ?? lastClosing(snapshot, role), {
          InfractionReports: reports,
        })
      : []),
    ...(has('REFUNDING')
      ? fact('REFUNDING', firstRefund(snapshot) ?? lastChange('REFUNDING') ?? completedWithoutRefund(snapshot), {
          Refunds: refunds,
        })
      : []),
    ...fact('COMPLETED', lastChange('COMPLETED'), {}),
    ...fact('CANCELLED', lastChange('CANCELLED'), {}),
  ];
}

/**
 * Returns when the wait for the analysis began. The report of the root is opened with the recovery, so the wait begins
 * with the reports that follow, or with the root's report if there is no other, but not before the graph.
 */
function awaitingAnalysis(
  { FundsRecovery: { RootTransactionId }, InfractionReports: reports }: Snapshot,
  tracked: number | null,
): number | null {
  if (reports.length === 0) return null;
  const onward = reports.filter(({ TransactionId }) => TransactionId !== RootTransactionId);
  return Math.max(
    Math.min(...(onward.length > 0 ? onward : reports).map(({ CreationTime }) => toMilliseconds(CreationTime))),
    tracked ?? 0,
  );
}

/**
 * Returns whether a cancelled recovery had waited for an analysis. The report of the root exists from the beginning, so
 * there must have been other reports, or an answer.
 */
function hadAwaitedAnalysis({ InfractionReports: reports }: Snapshot, directoryStatus: Status | null): boolean {
  return (
    directoryStatus === 'CANCELLED' &&
    (reports.length > 1 || reports.some(({ AnalysisResult }) => AnalysisResult !== undefined))
  );
}

/**
 * Returns when the last report was closed. Only the creator of a recovery sees all reports, so only the creator knows
 * which was the last.
 */
function lastClosing({ InfractionReports: reports }: Snapshot, role: Role): number | null {
  if (role === 'RECEIVED' || reports.length === 0 || !reports.every(({ Status }) => Status === 'CLOSED')) return null;
  return Math.max(...reports.map(({ LastModified }) => toMilliseconds(LastModified)));
}

function firstRefund({ Refunds: refunds }: Snapshot): number | null {
  return refunds.length === 0 ? null : Math.min(...refunds.map(({ CreationTime }) => toMilliseconds(CreationTime)));
}

/**
 * Returns the time of a completion without a refund although the root was agreed: the refunding began and, with nothing
 * to refund, ended at once.
 */
function completedWithoutRefund(snapshot: Snapshot): number | null {
  if (rootResult(snapshot) !== 'AGREED') return null;
  return toMilliseconds(snapshot.FundsRecovery.LastModified);
}

export function rootResult({ FundsRecovery: recovery, InfractionReports: reports }: Snapshot): string | null {
  const root = reports.find(({ TransactionId }) => TransactionId === recovery.RootTransactionId);
  return root?.AnalysisResult ?? null;
}

/** Keys of the facts that say that a report or refund was answered. */
export function answerKeys(id: string): readonly string[] {
  return [`ir:${id}:CLOSED`, `rf:${id}:CLOSED`];
}

const announcedStatuses: ReadonlyMap<string, Status> = new Map([
  [eventType('ANALYSED'), 'ANALYSED'],
  [eventType('COMPLETED'), 'COMPLETED'],
  [eventType('CANCELLED'), 'CANCELLED'],
]);

/**
 * Returns the fact that a notification of the directory announces. Event names that the directory introduces later are
 * passed through if the contract can carry them.
 */
export function notificationFact(ispb: string, recovery: RecoveryDocument, notification: NotificationDocument): Fact {
  return {
    key: notificationKeyOf(ispb, recovery.Id, notification),
    eventType: /^[A-Z0-9_]{1,80}$/.test(notification.Event) ? notification.Event : eventType('INFORMATION_UPDATED'),
    reaches: announcedStatuses.get(notification.Event) ?? null,
    at: toMilliseconds(notification.Timestamp),
    origin: 'NATIVE',
    documents: { EventNotification: notification, FundsRecovery: recovery },
  };
}

/**
 * Returns the key of a notification. A status happens once; every other event has an identifier, which is unique within
 * a participant only.
 */
export function notificationKeyOf(ispb: string, recoveryId: string, { Event, Id }: NotificationDocument): string {
  const status = announcedStatuses.get(Event);
  return status === undefined ? `evt:${ispb}:${Id}` : statusKey(recoveryId, status);
}

/** Members that the creator of a recovery may change after its creation. */
const editableMembers = ['SituationType', 'ReportDetails', 'ContactInformation'] as const;

/**
 * Reports the changes that were missed because an outage lasted longer than the directory keeps notifications. A
 * comparison with the known record shows what changed in its information, and is published as one event.
 */
export function gapFacts(
  before: RecoveryRecord | null,
  { FundsRecovery: now }: Snapshot,
  { gapSince }: Observation,
): Fact[] {
  if (before === null || gapSince === null) return [];
  const { FundsRecovery: then } = before.snapshot;
  if (editableMembers.every((name) => isDeepStrictEqual(then[name], now[name]))) return [];
  return [
    {
      key: `gap:${now.Id}:${gapSince}`,
      eventType: eventType('INFORMATION_UPDATED'),
      reaches: null,
      at: toMilliseconds(now.LastModified),
      origin: 'DERIVED',
      documents: { FundsRecovery: now },
    },
  ];
}

/** State that the lifecycle does not foresee and that an operator has to examine. */
export type Anomaly = 'unknown_status' | 'conflicting_end';

interface Anomalies {
  readonly facts: readonly Fact[];
  readonly alerts: readonly Anomaly[];
}

/**
 * Finds what the lifecycle does not foresee. An unknown status leaves the last known one in place and is published as a
 * change of information that carries the raw value. If two ends contradict each other, the one that the directory shows
 * prevails.
 */
export function findAnomalies(
  before: RecoveryRecord | null,
  { FundsRecovery: recovery }: Snapshot,
  directoryStatus: Status | null,
): Anomalies {
  const key = `fr:${recovery.Id}:STATUS:${recovery.Status.slice(0, 80)}`;
  if (directoryStatus === null) {
    const fact: Fact = {
      key,
      eventType: eventType('INFORMATION_UPDATED'),
      reaches: null,
      at: toMilliseconds(recovery.LastModified),
      origin: 'DERIVED',
      documents: { FundsRecovery: recovery },
    };
    return { facts: [fact], alerts: before?.keys.includes(key) === true ? [] : ['unknown_status'] };
  }
  const conflict =
    before !== null &&
    isTerminal(before.status) &&
    isTerminal(directoryStatus) &&
    before.status !== directoryStatus &&
    readStatus(before.snapshot.FundsRecovery.Status) !== directoryStatus;
  return { facts: [], alerts: conflict ? ['conflicting_end'] : [] };
}
