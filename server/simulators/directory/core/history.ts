import type { Fact, FactKind, Label, Notification, Run, State, Status } from './model.ts';
import { rankOf } from './simulation.ts';
import { type Instant, iso, notificationWindow } from './values.ts';

/** An event that a feed of this participant has to carry. */
export interface HistoryEvent {
  readonly runId: string;
  readonly fundsRecoveryId: string;
  readonly eventType: `FUNDS_RECOVERY_${FactKind}`;
  /** Of the recovery after the event. */
  readonly status: Status;
  /** The directory's time, RFC 3339. */
  readonly occurredAt: string;
  readonly dedupeKey: string;
  readonly origin: 'NATIVE' | 'DERIVED' | 'DEADLINE';
  /** From when on the directory shows it. */
  readonly knownFrom: string;
  /**
   * From when on no read of the directory shows it any more; null while every later read does. Whoever has polled in time
   * has published it; whoever comes later cannot know of it.
   */
  readonly goneAt: string | null;
  /** The report that it is about, by its name in the scenario. */
  readonly of: Label | null;
  readonly result: string | null;
}

/** All that a perfect ingester has published by now: what happened, in the order in which it happened. */
export function historyOf(state: State): HistoryEvent[] {
  const notifications = Map.groupBy(state.notifications, ({ runId }) => runId);
  return state.runs.flatMap((run) => historyOfRun(run, notifications.get(run.runId) ?? [])).sort(inFeedOrder);
}

function historyOfRun(run: Run, notifications: readonly Notification[]): HistoryEvent[] {
  const { recovery } = run;
  if (recovery === null) return [];
  return run.facts.filter((fact) => isVisible(run, fact)).map((fact) => {
    const notification = notifications.find(({ event, at }) => event === fact.kind && at === fact.at);
    const goneAt = goneFrom(run, fact, notification);
    return {
      runId: run.runId,
      fundsRecoveryId: recovery.id,
      eventType: `FUNDS_RECOVERY_${fact.kind}`,
      status: fact.status,
      occurredAt: iso(timeOf(run, fact)),
      dedupeKey: keyOf(recovery.id, fact, notification),
      origin: fact.kind.endsWith('_TIMED_OUT') ? 'DEADLINE' : notification === undefined ? 'DERIVED' : 'NATIVE',
      knownFrom: iso(notification?.listedAt != null && fact.kind === 'INFORMATION_UPDATED' ? notification.listedAt : fact.at),
      goneAt: goneAt === null ? null : iso(goneAt),
      of: fact.report?.label ?? null,
      result: fact.result,
    };
  });
}

/** A counterparty knows of the reports and refunds that are its own, and has no part in the tracking. */
function isVisible(run: Run, { kind, report }: Fact): boolean {
  return run.role === 'SENT' || (kind !== 'TRACKING_TIMED_OUT' && (report === null || report.counterparty === run.own));
}

/** What the documents give as its time: the wait for the analysis begins with the first report, but not before the graph. */
function timeOf({ recovery, reports }: Run, { at, kind }: Fact): Instant {
  return kind === 'AWAITING_ANALYSIS' ? Math.max(Math.min(...reports.map(({ createdAt }) => createdAt)), recovery?.graphBuiltAt ?? 0) : at;
}

function keyOf(id: string, { kind, report, refund }: Fact, notification: Notification | undefined): string {
  switch (kind) {
    case 'COUNTERPARTY_ANALYSED': return `ir:${report?.id}:CLOSED`;
    case 'REFUND_CLOSED': return `rf:${refund?.id}:CLOSED`;
    case 'INFORMATION_UPDATED': return `evt:${notification?.participant}:${notification?.id}`;
    case 'TRACKING_TIMED_OUT': return `to:TRACKING:${id}`;
    case 'ANALYSIS_TIMED_OUT': return `to:ANALYSIS:${report?.id}`;
    case 'REFUND_START_TIMED_OUT': return `to:REFUND_START:${id}`;
    case 'REFUND_TIMED_OUT': return `to:REFUND:${refund?.id}`;
    default: return `fr:${id}:${kind}`;
  }
}

/** Documents keep the times of what they went through, except for those that the next change overwrites. */
function goneFrom(run: Run, fact: Fact, notification: Notification | undefined): Instant | null {
  const next = (...kinds: readonly FactKind[]): Instant | null => run.facts.find(({ kind, at }) => kinds.includes(kind) && at >= fact.at)?.at ?? null;
  const listedUntil = notification?.listedAt == null ? fact.at : notification.listedAt + notificationWindow;
  const cancelled = next('CANCELLED');
  const creator = run.role === 'SENT';
  switch (fact.kind) {
    // That the root's report was there tells nothing: it was from the beginning.
    case 'AWAITING_ANALYSIS': return creator && run.reports.length > 1 ? null : cancelled;
    case 'COUNTERPARTY_ANALYSED': case 'ANALYSIS_TIMED_OUT': return cancelled;
    case 'ANALYSED': case 'REFUND_START_TIMED_OUT': {
      const left = creator ? cancelled : next('REFUNDING', 'COMPLETED', 'CANCELLED');
      return left === null ? null : Math.max(left, listedUntil);
    }
    case 'REFUNDING': return creator || run.refunds.some(({ report }) => report.counterparty === run.own) ? null : next('COMPLETED');
    case 'INFORMATION_UPDATED': return listedUntil;
    default: return null;
  }
}

/** As the feed sorts what it learns at once. */
function inFeedOrder(a: HistoryEvent, b: HistoryEvent): number {
  return Date.parse(a.occurredAt) - Date.parse(b.occurredAt) || rankOf(a.status) - rankOf(b.status)
    || (a.dedupeKey < b.dedupeKey ? -1 : 1);
}
