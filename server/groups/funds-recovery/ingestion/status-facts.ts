import { eventType, statusKey, type Fact } from './fact.ts';
import type { Role, Snapshot } from './record.ts';
import { rankOf, readStatus, type Status } from './status.ts';
import { milliseconds } from './time.ts';

/**
 * The statuses that a recovery has been through, as far as its documents tell, with the times that they give. A status
 * whose time nothing tells any more is left out: intermediates may be missed.
 *
 * @param analysedAt when the analysis ended, as an earlier read has shown
 */
export function statusFacts(snapshot: Snapshot, role: Role, analysedAt: number | null): Fact[] {
  const { FundsRecovery: recovery, TrackingGraph: graph, InfractionReports: reports, Refunds: refunds } = snapshot;
  const shown = readStatus(recovery.Status);
  const has = (status: Status): boolean => shown !== null && shown !== 'CANCELLED' && rankOf(shown) >= rankOf(status);
  /** While the status is shown, the last change of the record is the one that led to it. */
  const lastChange = (status: Status): number | null => (shown === status ? milliseconds(recovery.LastModified) : null);
  const fact = (status: Status, at: number | null, documents: Fact['documents']): Fact[] => (at === null ? [] : [{
    key: statusKey(recovery.Id, status), eventType: eventType(status), reaches: status, at, origin: 'DERIVED',
    documents: { FundsRecovery: recovery, ...documents },
  }]);

  const created = milliseconds(recovery.CreationTime);
  const tracked = graph === null ? lastChange('TRACKED') : milliseconds(graph['CreationTime'] as string);
  const opened = awaitingAnalysis(snapshot, tracked);
  return [
    ...fact('CREATED', created, {}),
    ...fact('TRACKED', tracked, { TrackingGraph: graph ?? undefined }),
    ...(has('AWAITING_ANALYSIS') || wasOpened(snapshot, shown) ? fact('AWAITING_ANALYSIS', opened ?? lastChange('AWAITING_ANALYSIS'), { InfractionReports: reports }) : []),
    ...(has('ANALYSED') || analysedAt !== null ? fact('ANALYSED', lastChange('ANALYSED') ?? analysedAt ?? lastClosing(snapshot, role), { InfractionReports: reports }) : []),
    ...(has('REFUNDING') ? fact('REFUNDING', firstRefund(snapshot) ?? lastChange('REFUNDING') ?? emptyGraph(snapshot), { Refunds: refunds }) : []),
    ...fact('COMPLETED', lastChange('COMPLETED'), {}),
    ...fact('CANCELLED', lastChange('CANCELLED'), {}),
  ];
}

/** The root's report may be there before the graph is: the wait begins with the later of the two. */
function awaitingAnalysis({ InfractionReports: reports }: Snapshot, tracked: number | null): number | null {
  if (reports.length === 0) return null;
  return Math.max(Math.min(...reports.map(({ CreationTime }) => milliseconds(CreationTime))), tracked ?? 0);
}

/** The root's report is there from the beginning: a cancelled recovery has waited for an analysis if there were others, or an answer. */
function wasOpened({ InfractionReports: reports }: Snapshot, shown: Status | null): boolean {
  return shown === 'CANCELLED' && (reports.length > 1 || reports.some(({ AnalysisResult }) => AnalysisResult !== undefined));
}

/** Only the creator sees all reports, and so which was the last. */
function lastClosing({ InfractionReports: reports }: Snapshot, role: Role): number | null {
  if (role === 'RECEIVED' || reports.length === 0 || !reports.every(({ Status }) => Status === 'CLOSED')) return null;
  return Math.max(...reports.map(({ LastModified }) => milliseconds(LastModified)));
}

function firstRefund({ Refunds: refunds }: Snapshot): number | null {
  return refunds.length === 0 ? null : Math.min(...refunds.map(({ CreationTime }) => milliseconds(CreationTime)));
}

/** Completed without a refund although the root was agreed: refunding began and, having nothing to refund, ended at once. */
function emptyGraph(snapshot: Snapshot): number | null {
  if (rootResult(snapshot) !== 'AGREED') return null;
  return milliseconds(snapshot.FundsRecovery.LastModified);
}

export function rootResult({ FundsRecovery: recovery, InfractionReports: reports }: Snapshot): string | null {
  const root = reports.find(({ TransactionId }) => TransactionId === recovery.RootTransactionId);
  return root?.AnalysisResult ?? null;
}
