/**
 * This file derives from the state of the simulator the events that a correct ingestion must have published. Tests
 * compare the feed with it.
 */
import type { Fact, FactKind, Label, Notification, Run, State, Status } from './model.ts';
import { rankOf } from './simulation.ts';
import { type Instant, iso, notificationWindow } from './values.ts';

/** An event that the feed of this participant must contain. */
export interface HistoryEvent {
  readonly runId: string;
  readonly fundsRecoveryId: string;
  readonly eventType: `FUNDS_RECOVERY_${FactKind}`;
  /** The status of the recovery after the event. */
  readonly status: Status;
  /** Time of the directory (RFC 3339). */
  readonly occurredAt: string;
  readonly dedupeKey: string;
  readonly origin: 'NATIVE' | 'DERIVED' | 'DEADLINE';
  /** The time from which the directory shows it. */
  readonly knownFrom: string;
  /**
   * Time from which no read of the directory shows the event any more; null if every later read shows it. An ingestion
   * that polled in time has published the event; one that polls later cannot know of it.
   */
  readonly goneAt: string | null;
  /** Name, in the scenario, of the report that the event is about. */
  readonly of: Label | null;
  readonly result: string | null;
}

/** Lists every event that a perfect ingestion has published by now, in the order of occurrence. */
export function historyOf(state: State): HistoryEvent[] {
  const notifications = Map.groupBy(state.notifications, ({ runId }) => runId);
  return state.runs.flatMap((run) => historyOfRun(run, notifications.get(run.runId) ?? [])).sort(inFeedOrder);
}

function historyOfRun(run: Run, notifications: readonly Notification[]): HistoryEvent[] {
  const { recovery } = run;
  if (recovery === null) return [];
  return run.facts
    .filter((fact) => isVisible(run, fact))
    .map((fact) => {
      const notification = notifications.find(({ event, at }) => event === fact.kind && at === fact.at);
      const goneAt = goneFrom(run, fact, notification);
      return {
        runId: run.runId,
        fundsRecoveryId: recovery.id,
        eventType: `FUNDS_RECOVERY_${fact.kind}`,
        status: fact.status,
        occurredAt: iso(timeOf(run, fact)),
        dedupeKey: keyOf(recovery.id, fact, notification),
        origin: originOf(fact, notification),
        knownFrom: iso(knownFrom(fact, notification)),
        goneAt: goneAt === null ? null : iso(goneAt),
        of: fact.report?.label ?? null,
        result: fact.result,
      };
    });
}

function originOf({ kind }: Fact, notification: Notification | undefined): HistoryEvent['origin'] {
  if (kind.endsWith('_TIMED_OUT')) return 'DEADLINE';
  return notification === undefined ? 'DERIVED' : 'NATIVE';
}

/** Only the notification shows that information was updated, so that fact is known from the time of its listing. */
function knownFrom({ kind, at }: Fact, notification: Notification | undefined): Instant {
  return kind === 'INFORMATION_UPDATED' ? (notification?.listedAt ?? at) : at;
}

/**
 * Returns whether the participant can see a fact. A counterparty sees its own reports and refunds and nothing of the
 * tracking.
 */
function isVisible(run: Run, { kind, report }: Fact): boolean {
  return run.role === 'SENT' || (kind !== 'TRACKING_TIMED_OUT' && (report === null || report.counterparty === run.own));
}

/**
 * The time of an event according to the documents: the analysis begins with the reports that follow the root's, or with
 * it alone, but not before the graph was built.
 */
function timeOf({ role, own, recovery, reports: all }: Run, { at, kind }: Fact): Instant {
  if (kind !== 'AWAITING_ANALYSIS') return at;
  const reports = role === 'SENT' ? all : all.filter(({ counterparty }) => counterparty === own);
  const onward = reports.filter(({ from }) => from !== null);
  return Math.max(
    Math.min(...(onward.length > 0 ? onward : reports).map(({ createdAt }) => createdAt)),
    recovery?.graphBuiltAt ?? 0,
  );
}

function keyOf(id: string, { kind, report, refund }: Fact, notification: Notification | undefined): string {
  switch (kind) {
    case 'REPORT_OPENED':
      return `ir:${report?.id}:OPENED`;
    case 'REPORT_ACKNOWLEDGED':
      return `ir:${report?.id}:ACKNOWLEDGED`;
    case 'REPORT_CANCELLED':
      return `ir:${report?.id}:CANCELLED`;
    case 'REFUND_OPENED':
      return `rf:${refund?.id}:OPENED`;
    case 'COUNTERPARTY_ANALYSED':
      return `ir:${report?.id}:CLOSED`;
    case 'REFUND_CLOSED':
      return `rf:${refund?.id}:CLOSED`;
    case 'INFORMATION_UPDATED':
      return `evt:${notification?.participant}:${notification?.id}`;
    case 'TRACKING_TIMED_OUT':
      return `to:TRACKING:${id}`;
    case 'ANALYSIS_TIMED_OUT':
      return `to:ANALYSIS:${report?.id}`;
    case 'REFUND_START_TIMED_OUT':
      return `to:REFUND_START:${id}`;
    case 'REFUND_TIMED_OUT':
      return `to:REFUND:${refund?.id}`;
    case 'CREATED':
    case 'TRACKED':
    case 'AWAITING_ANALYSIS':
    case 'ANALYSED':
    case 'REFUNDING':
    case 'COMPLETED':
    case 'CANCELLED':
      return `fr:${id}:${kind}`;
  }
}

/**
 * The time from which an event cannot be derived any more. Documents keep the times of most changes, but a later change
 * overwrites some.
 */
function goneFrom(run: Run, fact: Fact, notification: Notification | undefined): Instant | null {
  const next = (...kinds: readonly FactKind[]): Instant | null =>
    run.facts.find(({ kind, at }) => kinds.includes(kind) && at >= fact.at)?.at ?? null;
  const listedUntil = notification?.listedAt == null ? fact.at : notification.listedAt + notificationWindow;
  const cancelled = next('CANCELLED');
  const creator = run.role === 'SENT';
  switch (fact.kind) {
    // The report of the root payment exists from the beginning, so it does not show that the analysis has begun.
    case 'AWAITING_ANALYSIS':
      return creator && run.reports.length > 1 ? null : cancelled;
    case 'REPORT_ACKNOWLEDGED':
    case 'COUNTERPARTY_ANALYSED':
    case 'ANALYSIS_TIMED_OUT':
      return cancelled;
    case 'ANALYSED':
    case 'REFUND_START_TIMED_OUT': {
      const leftAt = creator ? cancelled : next('REFUNDING', 'COMPLETED', 'CANCELLED');
      return leftAt === null ? null : Math.max(leftAt, listedUntil);
    }
    case 'REFUNDING':
      return creator || run.refunds.some(({ report }) => report.counterparty === run.own) ? null : next('COMPLETED');
    case 'INFORMATION_UPDATED':
      return listedUntil;
    case 'CREATED':
    case 'TRACKED':
    case 'COMPLETED':
    case 'CANCELLED':
    case 'REPORT_OPENED':
    case 'REPORT_CANCELLED':
    case 'REFUND_OPENED':
    case 'REFUND_CLOSED':
    case 'TRACKING_TIMED_OUT':
    case 'REFUND_TIMED_OUT':
      return null;
  }
}

/** The order in which the feed sorts events that it learns at the same time. */
function inFeedOrder(a: HistoryEvent, b: HistoryEvent): number {
  return (
    Date.parse(a.occurredAt) - Date.parse(b.occurredAt) ||
    rankOf(a.status) - rankOf(b.status) ||
    (a.dedupeKey < b.dedupeKey ? -1 : 1)
  );
}
