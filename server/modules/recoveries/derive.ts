import { DAY_MILLISECONDS, HOUR_MILLISECONDS, MINUTE_MILLISECONDS } from '../../base/time.ts';
import type { Document, DocumentValue } from '../../providers/directory/index.ts';
import type { NewEvent } from '../recovery-feed/index.ts';
import { deadlineNotices } from './deadline-notices.ts';
import { deadlines, timeoutKey } from './deadlines.ts';
import { documentFacts } from './document-facts.ts';
import { type Anomaly, answerKeys, findAnomalies, gapFacts, notificationFact, statusFacts } from './facts.ts';
import { mergeSnapshot, type Observation, withoutPersonalData } from './observation.ts';
import {
  type Deadline,
  deadlineSource,
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

const statusChanges: ReadonlySet<string> = new Set(['ANALYSED', 'COMPLETED', 'CANCELLED']);
/**
 * Statuses that the directory sends notifications about, by the role of the participant. A counterparty is notified of
 * a cancellation only.
 */
const announcedTo: Readonly<Record<Role, ReadonlySet<string>>> = {
  SENT: statusChanges,
  BOTH: statusChanges,
  RECEIVED: new Set(['CANCELLED']),
};

interface Held {
  /** Facts that can be published now. */
  readonly due: readonly Fact[];
  /** Time from which each of the other statuses has been known, by status. */
  readonly held: { readonly [status: string]: string };
  readonly heldUntil: number | null;
}

/** How far back the directory lists notifications. No notification of an older fact can arrive any more. */
const notificationWindow = 7 * DAY_MILLISECONDS;

/**
 * Delays an event if a read shows a new status before its notification has arrived, so that the event carries the
 * directory's own document. The delay is at most `hold` milliseconds.
 */
function holdForNotification(
  facts: readonly Fact[],
  role: Role,
  heldBefore: { readonly [status: string]: string },
  at: number,
  hold: number,
): Held {
  const since = new Map<string, number>();
  for (const fact of facts) {
    const { reaches, origin } = fact;
    if (reaches === null || origin === 'NATIVE' || !announcedTo[role].has(reaches) || fact.at + notificationWindow < at)
      continue;
    const known = heldBefore[reaches];
    since.set(reaches, known === undefined ? at : toMilliseconds(known));
  }
  const waiting = new Map([...since].filter(([, start]) => at < start + hold));
  return {
    due: facts.filter(({ reaches, origin }) => origin === 'NATIVE' || reaches === null || !waiting.has(reaches)),
    held: Object.fromEntries([...waiting].map(([status, start]) => [status, isoTime(start)])),
    heldUntil: waiting.size === 0 ? null : Math.min(...waiting.values()) + hold,
  };
}

const apiVersion = '2.12.1';

interface RecordContext {
  readonly role: Role;
  /** Position of the event among the events of its record. */
  readonly revision: number;
}

/**
 * Builds the payload of an event: the directory's documents that led to the event, with every leaf as it was received,
 * and how this service learned of it.
 */
export function rawPayload(
  { origin, documents, noticeHours }: Fact,
  { page, read }: Observation,
  record: RecordContext,
  deadline: Deadline | null,
): { readonly [member: string]: DocumentValue | object } {
  const provenance = origin === 'NATIVE' ? (page ?? read) : read;
  return {
    ...definedMembers(documents),
    ...(deadline !== null && {
      Deadline: {
        Stage: deadline.stage,
        SetBy: deadlineSource(deadline.stage),
        DueAt: isoTime(deadline.due),
        EntityId: deadline.entityId,
        ...(noticeHours !== undefined && { NoticeHours: String(noticeHours) }),
      },
    }),
    '@meta': {
      ...provenance,
      origin,
      apiVersion,
      record,
    },
  };
}

function definedMembers(documents: Document): { readonly [member: string]: DocumentValue } {
  return Object.fromEntries(
    Object.entries(documents).filter((entry): entry is [string, DocumentValue] => entry[1] !== undefined),
  );
}

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
  const { missed, unconfirmed, ahead, met } = deadlines(snapshot, role, limits, analysedAt, facts, {
    at,
    by: observation.stored === undefined ? 'read' : isAwaited ? 'nothing' : 'lists',
    ispb: observation.ispb,
  });
  const isOver =
    isTerminal(before?.status ?? 'CREATED') || facts.some(({ reaches }) => reaches !== null && isTerminal(reaches));
  const notices = deadlineNotices(isOver ? [] : ahead, noticeHours, recovery, at);
  // If the answer was published without a missed deadline, it was in time, even if the document has changed since.
  const late = missed.filter(({ deadline }) => !answerKeys(deadline?.entityId ?? '').some((key) => known.has(key)));
  // A record that waits for a read may have been answered already, so that read decides which notices are still due.
  const fresh = [...facts, ...late, ...(isAwaited ? [] : notices.due)].filter(({ key }) => !known.has(key));
  const { due, held, heldUntil } = holdForNotification(
    fresh,
    role,
    before?.held ?? {},
    observation.at.getTime(),
    limits.nativeHold,
  );

  const wronglyMissed = met.filter((deadline) => known.has(timeoutKey(deadline)));
  let status: Status = before?.status ?? 'CREATED';
  const events = inOrder(
    due.map((fact) => ({ ...fact, at: Math.max(fact.at, earliestOf(fact, snapshot, facts)) })),
    status,
  ).map((fact, index): NewEvent => {
    if (fact.reaches !== null) status = statusAfter(status, fact.reaches, directoryStatus);
    return {
      fundsRecoveryId: recovery.Id,
      eventType: fact.eventType,
      status,
      occurredAt: isoTime(fact.at),
      dedupeKey: fact.key,
      rawPayload: erased
        ? null
        : rawPayload(
            fact,
            observation,
            { role, revision: known.size + index + 1 },
            announcedDeadline(fact, ahead, wronglyMissed),
          ),
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
  const {
    wakeAt,
    nextDeadline,
    snapshot: { FundsRecovery, InfractionReports, Refunds },
  } = before;
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
function earliestOf(
  { reaches }: Fact,
  { InfractionReports: reports, Refunds: refunds }: Snapshot,
  facts: readonly Fact[],
): number {
  if (reaches === null) return 0;
  const before = facts
    .filter((fact) => fact.reaches !== null && rankOf(fact.reaches) < rankOf(reaches))
    .map(({ at }) => at);
  const ended = (documents: Snapshot['InfractionReports'] | Snapshot['Refunds'], status: string): number[] =>
    documents.filter(({ Status }) => Status === status).map(({ LastModified }) => toMilliseconds(LastModified));
  const answered =
    reaches === 'ANALYSED'
      ? ended(reports, 'CLOSED')
      : reaches === 'COMPLETED'
        ? ended(refunds, 'CLOSED')
        : reaches === 'CANCELLED'
          ? [...ended(reports, 'CANCELLED'), ...ended(refunds, 'CANCELLED')]
          : [];
  return Math.max(0, ...before, ...answered);
}

/** Sorts facts as the feed sorts a batch: by time, then by position in the lifecycle, then by key. */
function inOrder(facts: readonly Fact[], status: Status): readonly Fact[] {
  const rank = ({ reaches }: Fact): number => rankOf(reaches ?? status);
  return facts.toSorted((one, other) => one.at - other.at || rank(one) - rank(other) || (one.key < other.key ? -1 : 1));
}

/**
 * Returns the deadline that an event carries. An event that begins a wait carries the deadline of that wait. An answer
 * carries the deadline that it met if that deadline was published as missed before, so that the event corrects what the
 * lists of the directory showed too late.
 */
function announcedDeadline(
  { reaches, deadline, key }: Fact,
  ahead: readonly Deadline[],
  wronglyMissed: readonly Deadline[],
): Deadline | null {
  if (deadline !== undefined) return deadline;
  const corrected = wronglyMissed.find(({ entityId }) => answerKeys(entityId).includes(key));
  if (corrected !== undefined) return corrected;
  const stage = reaches === 'AWAITING_ANALYSIS' ? 'ANALYSIS' : reaches === 'ANALYSED' ? 'REFUND_START' : null;
  return ahead.find((candidate) => candidate.stage === stage) ?? null;
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
