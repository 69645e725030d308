/**
 * The pure function that turns a record and an observation into the next record, its events and its alerts. Used by
 * apply-observations.ts. It must stay deterministic and without effect: readers of the feed rely on the same
 * observation adding nothing the second time.
 */
import { HOUR_MILLISECONDS, MINUTE_MILLISECONDS } from '../../base/time.ts';
import type { NewEvent } from '../recovery-feed/index.ts';
import { deadlineNotices } from './deadline-notices.ts';
import { type Confirmation, deadlines, timeoutKey } from './deadlines.ts';
import { documentFacts } from './document-facts.ts';
import { announcedDeadline, rawPayload } from './event-payload.ts';
import { type Anomaly, answerKeys, findAnomalies, gapFacts, notificationFact, statusFacts } from './facts.ts';
import { holdForNotification } from './hold-for-notification.ts';
import { mergeSnapshot, type Observation, withoutPersonalData } from './observation.ts';
import {
  type Fact,
  isoTime,
  isTerminal,
  rankOf,
  readStatus,
  type RecoveryRecord,
  type Role,
  type Snapshot,
  type StageLimits,
  type Status,
  statusAfter,
  toMilliseconds,
} from './recovery.ts';

interface Derived {
  readonly record: RecoveryRecord;
  readonly events: readonly NewEvent[];
  readonly alerts: readonly Anomaly[];
}

/**
 * Derives what an observation adds to a record: the events that were not published yet, and the record after them. The
 * function is pure: the same record and observation always give the same result, and a repeated observation adds
 * nothing.
 *
 * @param noticeHours how many hours before a deadline its notices are due
 */
export function derive(
  before: RecoveryRecord | null,
  received: Observation,
  limits: StageLimits,
  noticeHours: readonly number[] = [],
): Derived {
  const erased = before?.erased ?? false;
  const observation = erased ? withoutPersonalData(received) : received;
  const snapshot = mergeSnapshot(before?.snapshot ?? null, observation);
  const { FundsRecovery: recovery } = snapshot;
  const role = roleOf(before, observation);
  const known = new Set(before?.keys ?? []);
  const remembered = before?.analysedAt == null ? null : toMilliseconds(before.analysedAt);
  const directoryStatus = readStatus(recovery.Status);
  const { facts: anomalies, alerts } = findAnomalies(before, snapshot, directoryStatus);
  // Of two facts with one key the first stays, because a notification carries more than a read that shows the same
  // fact.
  const facts = unique([
    ...observation.notifications.map((notification) => notificationFact(observation.ispb, recovery, notification)),
    ...statusFacts(snapshot, role, remembered),
    ...documentFacts(before?.snapshot ?? null, snapshot),
    ...anomalies,
    ...gapFacts(before, snapshot, observation),
  ]);
  const analysed = facts.find(({ reaches }) => reaches === 'ANALYSED');
  const analysedAt = analysed === undefined || known.has(analysed.key) ? remembered : analysed.at;
  const at = observation.at.getTime();
  const isAwaited = awaitsRead(before, observation);
  const basis = {
    snapshot,
    role,
    limits,
    analysedAt,
    facts,
  };
  const by = confirmedBy(observation, isAwaited);
  const { missed, unconfirmed, ahead, met } = deadlines(basis, { at, by, ispb: observation.ispb });
  const isOver =
    isTerminal(before?.status ?? 'CREATED') || facts.some(({ reaches }) => reaches !== null && isTerminal(reaches));
  const notices = deadlineNotices(isOver ? [] : ahead, noticeHours, recovery, at);
  // If the answer was published without a missed deadline, it was in time, even if the document has changed since.
  const late = missed.filter(({ deadline }) => !answerKeys(deadline?.entityId ?? '').some((key) => known.has(key)));
  // A record that waits for a read may have been answered already, so that read decides which notices are still due.
  const fresh = [...facts, ...late, ...(isAwaited ? [] : notices.due)].filter(({ key }) => !known.has(key));
  const { due, held, heldUntil } = holdForNotification(fresh, role, before?.held ?? {}, {
    at,
    hold: limits.nativeHold,
  });

  const wronglyMissed = met.filter((deadline) => known.has(timeoutKey(deadline)));
  let status: Status = before?.status ?? 'CREATED';
  const timed = due.map((fact) => ({ ...fact, at: Math.max(fact.at, earliestOf(fact, snapshot, facts)) }));
  const events = inOrder(timed, status).map((fact, index): NewEvent => {
    if (fact.reaches !== null) status = statusAfter(status, fact.reaches, directoryStatus);
    const position = { role, revision: known.size + index + 1 };
    const deadline = announcedDeadline(fact, ahead, wronglyMissed);
    return {
      fundsRecoveryId: recovery.Id,
      eventType: fact.eventType,
      status,
      occurredAt: isoTime(fact.at),
      dedupeKey: fact.key,
      rawPayload: erased ? null : rawPayload(fact, observation, position, deadline),
    };
  });
  const hasEnded = isTerminal(status);
  const open = unconfirmed.filter((deadline) => !known.has(timeoutKey(deadline)));
  const next = hasEnded ? undefined : [...open, ...ahead][0];
  const needsRead = isAwaited || (open.length > 0 && !hasEnded);
  return {
    events,
    alerts,
    record: {
      id: recovery.Id,
      ispb: role === 'RECEIVED' ? (before?.ispb ?? observation.ispb) : creator(before, observation),
      role,
      status,
      keys: [...(before?.keys ?? []), ...events.map(({ dedupeKey }) => dedupeKey)],
      held,
      analysedAt: analysedAt === null ? null : isoTime(analysedAt),
      nextDeadline: next === undefined ? null : { stage: next.stage, at: isoTime(next.due) },
      nextNoticeAt: notices.next === undefined ? null : isoTime(notices.next),
      // A read that is needed takes precedence, even over a deadline that the lists could confirm.
      wakeAt: needsRead
        ? isoTime(Math.min(at, next?.due ?? at) - 1)
        : earliest([next?.due, heldUntil ?? undefined, nextReread(snapshot, directoryStatus, at)]),
      lastReadAt: observation.stored === undefined ? isoTime(at) : (before?.lastReadAt ?? null),
      snapshot,
      erased,
    },
  };
}

/** Returns whether the recovery is known to have changed since the documents of this observation were read. */
function awaitsRead(before: RecoveryRecord | null, { stored, at }: Observation): boolean {
  if (before === null) return false;
  const { wakeAt, nextDeadline, snapshot } = before;
  const { FundsRecovery, InfractionReports, Refunds } = snapshot;
  // Another process may have stored newer documents of the lists while this read was under way.
  if (stored === undefined)
    return [FundsRecovery, ...InfractionReports, ...Refunds].some(
      ({ LastModified }) => toMilliseconds(LastModified) > at.getTime(),
    );
  const isDue =
    wakeAt !== null &&
    toMilliseconds(wakeAt) <= at.getTime() &&
    (nextDeadline === null || toMilliseconds(wakeAt) < toMilliseconds(nextDeadline.at));
  return stored.needsRead || isDue;
}

/** Returns what was read at the time of the observation, and can confirm that a deadline has passed. */
function confirmedBy({ stored }: Observation, isAwaited: boolean): Confirmation['by'] {
  if (stored === undefined) return 'read';
  return isAwaited ? 'nothing' : 'lists';
}

function roleOf(before: RecoveryRecord | null, { recovery, ispb }: Observation): Role {
  const role = recovery.ReporterParticipant === ispb ? 'SENT' : 'RECEIVED';
  return before === null || before.role === role ? role : 'BOTH';
}

function creator(before: RecoveryRecord | null, { recovery, ispb }: Observation): string {
  return recovery.ReporterParticipant === ispb ? ispb : (before?.ispb ?? ispb);
}

function unique(facts: readonly Fact[]): Fact[] {
  return [...new Map(facts.toReversed().map((fact) => [fact.key, fact])).values()].toReversed();
}

/**
 * Returns the earliest time that the event of a status can have: not before the events of earlier statuses, nor before
 * the answers that led to it. The directory's clocks, and the times in its documents, may differ slightly. Deadlines
 * count from the time that the directory gave.
 */
function earliestOf({ reaches }: Fact, snapshot: Snapshot, facts: readonly Fact[]): number {
  if (reaches === null) return 0;
  const before = facts
    .filter((fact) => fact.reaches !== null && rankOf(fact.reaches) < rankOf(reaches))
    .map(({ at }) => at);
  return Math.max(0, ...before, ...answersTo(reaches, snapshot));
}

/** Returns the times of the answers that lead to a status. */
function answersTo(reaches: Status, { InfractionReports: reports, Refunds: refunds }: Snapshot): readonly number[] {
  if (reaches === 'ANALYSED') return endsOf(reports, 'CLOSED');
  if (reaches === 'COMPLETED') return endsOf(refunds, 'CLOSED');
  if (reaches === 'CANCELLED') return [...endsOf(reports, 'CANCELLED'), ...endsOf(refunds, 'CANCELLED')];
  return [];
}

function endsOf(documents: Snapshot['InfractionReports'] | Snapshot['Refunds'], status: string): number[] {
  return documents.filter(({ Status }) => Status === status).map(({ LastModified }) => toMilliseconds(LastModified));
}

/** Sorts facts as the feed sorts a batch: by time, then by position in the lifecycle, then by key. */
function inOrder(facts: readonly Fact[], status: Status): readonly Fact[] {
  const rank = ({ reaches }: Fact): number => rankOf(reaches ?? status);
  return facts.toSorted((one, other) => one.at - other.at || rank(one) - rank(other) || (one.key < other.key ? -1 : 1));
}

/**
 * Returns when to read the recovery again. The directory takes minutes to build the graph and to open reports, and
 * notifies of neither, so such a recovery is read again soon: each time after a delay equal to its age, at least a
 * minute and at most an hour.
 */
function nextReread(
  { FundsRecovery: { CreationTime } }: Snapshot,
  directoryStatus: Status | null,
  at: number,
): number | undefined {
  if (directoryStatus !== 'CREATED' && directoryStatus !== 'TRACKED') return undefined;
  return at + Math.min(Math.max(at - toMilliseconds(CreationTime), MINUTE_MILLISECONDS), HOUR_MILLISECONDS);
}

function earliest(times: readonly (number | undefined)[]): string | null {
  const set = times.filter((time) => time !== undefined);
  return set.length === 0 ? null : isoTime(Math.min(...set));
}
