import { DAY_MILLISECONDS, HOUR_MILLISECONDS, MINUTE_MILLISECONDS } from '../../base/time.ts';
import type { Document, DocumentValue } from '../../providers/directory/index.ts';
import type { NewEvent } from '../recovery-feed/index.ts';
import { deadlineNotices } from './deadline-notices.ts';
import { deadlines, timeoutKey } from './deadlines.ts';
import { documentFacts } from './document-facts.ts';
import { type Anomaly, answerKeys, findAnomalies, gapFacts, notificationFact, statusFacts } from './facts.ts';
import { mergeSnapshot, type Observation, withoutPersonalData } from './observation.ts';
import {
  type Deadline, deadlineSource, type Fact, isoTime, isTerminal, rankOf, readStatus, type RecoveryRecord, type Role, type Snapshot, type StageLimits,
  type Status, statusAfter, toMilliseconds,
} from './recovery.ts';

const statusChanges: ReadonlySet<string> = new Set(['ANALYSED', 'COMPLETED', 'CANCELLED']);
/** The statuses that the directory sends notifications of, by the role of the participant: a counterparty is notified of a cancellation only. */
const announcedTo: Readonly<Record<Role, ReadonlySet<string>>> = { SENT: statusChanges, BOTH: statusChanges, RECEIVED: new Set(['CANCELLED']) };

interface Held {
  /** What can be published now. */
  readonly due: readonly Fact[];
  /** Since when the others have been known, by status. */
  readonly held: { readonly [status: string]: string };
  readonly heldUntil: number | null;
}

/** How far back the directory lists notifications; for what is older none can come any more. */
const notificationWindow = 7 * DAY_MILLISECONDS;

/**
 * A read can show a new status before its notification has come. The event then waits for the notification, so that it
 * carries the directory's own document, but no longer than `hold` milliseconds.
 */
function holdForNotification(facts: readonly Fact[], role: Role, heldBefore: { readonly [status: string]: string }, at: number, hold: number): Held {
  const since = new Map<string, number>();
  for (const fact of facts) {
    const { reaches, origin } = fact;
    if (reaches === null || origin === 'NATIVE' || !announcedTo[role].has(reaches) || fact.at + notificationWindow < at) continue;
    const known = heldBefore[reaches];
    since.set(reaches, known === undefined ? at : toMilliseconds(known));
  }
  const waiting = new Map([...since].filter(([, begun]) => at < begun + hold));
  return {
    due: facts.filter(({ reaches, origin }) => origin === 'NATIVE' || reaches === null || !waiting.has(reaches)),
    held: Object.fromEntries([...waiting].map(([status, begun]) => [status, isoTime(begun)])),
    heldUntil: waiting.size === 0 ? null : Math.min(...waiting.values()) + hold,
  };
}

const apiVersion = '2.12.1';

interface RecordContext {
  readonly role: Role;
  /** The place of the event among those of its record. */
  readonly revision: number;
}

/** The directory's documents that led to an event, every leaf as it was received, and how we came to know of it. */
export function rawPayload({ origin, documents, noticeHours }: Fact, { page, read }: Observation, record: RecordContext, deadline: Deadline | null): { readonly [member: string]: DocumentValue | object } {
  const provenance = origin === 'NATIVE' ? page ?? read : read;
  return {
    ...definedMembers(documents),
    ...(deadline !== null && { Deadline: {
      Stage: deadline.stage, SetBy: deadlineSource(deadline.stage), DueAt: isoTime(deadline.due), EntityId: deadline.entityId, ...(noticeHours !== undefined && { NoticeHours: String(noticeHours) }),
    } }),
    '@meta': { ...provenance, origin, apiVersion, record },
  };
}

function definedMembers(documents: Document): { readonly [member: string]: DocumentValue } {
  return Object.fromEntries(Object.entries(documents).filter((entry): entry is [string, DocumentValue] => entry[1] !== undefined));
}

interface Derived {
  readonly record: RecoveryRecord;
  readonly events: readonly NewEvent[];
  readonly alerts: readonly Anomaly[];
}

/**
 * What an observation adds to a record: the events that were not published yet, and the record after them. Pure: the
 * same record and observation always give the same, and an observation that is repeated adds nothing.
 *
 * @param noticeHours how long before a deadline it is announced
 */
export function derive(before: RecoveryRecord | null, received: Observation, limits: StageLimits, noticeHours: readonly number[] = []): Derived {
  const erased = before?.erased ?? false;
  const observation = erased ? withoutPersonalData(received) : received;
  const snapshot = mergeSnapshot(before?.snapshot ?? null, observation);
  const { FundsRecovery: recovery } = snapshot;
  const role = roleOf(before, observation);
  const known = new Set(before?.keys ?? []);
  const remembered = before?.analysedAt == null ? null : toMilliseconds(before.analysedAt);
  const directoryStatus = readStatus(recovery.Status);
  const { facts: anomalies, alerts } = findAnomalies(before, snapshot, directoryStatus);
  // Of two facts with one key the first stays: a notification carries more than the read that shows the same.
  const facts = unique([
    ...observation.notifications.map((notification) => notificationFact(observation.ispb, recovery, notification)),
    ...statusFacts(snapshot, role, remembered), ...documentFacts(before?.snapshot ?? null, snapshot), ...anomalies, ...gapFacts(before, snapshot, observation),
  ]);
  const analysed = facts.find(({ reaches }) => reaches === 'ANALYSED');
  const analysedAt = analysed === undefined || known.has(analysed.key) ? remembered : analysed.at;
  const at = observation.at.getTime();
  const isAwaited = awaitsRead(before, observation);
  const { missed, unconfirmed, ahead, met } = deadlines(snapshot, role, limits, analysedAt, facts, {
    at, by: observation.stored === undefined ? 'read' : isAwaited ? 'nothing' : 'lists', ispb: observation.ispb,
  });
  const isOver = isTerminal(before?.status ?? 'CREATED') || facts.some(({ reaches }) => reaches !== null && isTerminal(reaches));
  const notices = deadlineNotices(isOver ? [] : ahead, noticeHours, recovery, at);
  // If the answer was told without the deadline, it was in time, although the document may have changed again since.
  const late = missed.filter(({ deadline }) => !answerKeys(deadline?.entityId ?? '').some((key) => known.has(key)));
  // What waits for a read may have been answered already: that read tells what is still to be announced.
  const fresh = [...facts, ...late, ...(isAwaited ? [] : notices.due)].filter(({ key }) => !known.has(key));
  const { due, held, heldUntil } = holdForNotification(fresh, role, before?.held ?? {}, observation.at.getTime(), limits.nativeHold);

  const wronglyMissed = met.filter((deadline) => known.has(timeoutKey(deadline)));
  let status: Status = before?.status ?? 'CREATED';
  const events = inOrder(due.map((fact) => ({ ...fact, at: Math.max(fact.at, earliestOf(fact, snapshot, facts)) })), status).map((fact, index): NewEvent => {
    if (fact.reaches !== null) status = statusAfter(status, fact.reaches, directoryStatus);
    return {
      fundsRecoveryId: recovery.Id, eventType: fact.eventType, status, occurredAt: isoTime(fact.at), dedupeKey: fact.key,
      rawPayload: erased ? null : rawPayload(fact, observation, { role, revision: known.size + index + 1 }, announcedDeadline(fact, ahead, wronglyMissed)),
    };
  });
  const over = isTerminal(status);
  const open = unconfirmed.filter((deadline) => !known.has(timeoutKey(deadline)));
  const next = over ? undefined : [...open, ...ahead][0];
  const needsRead = isAwaited || (open.length > 0 && !over);
  return {
    events, alerts,
    record: {
      id: recovery.Id, ispb: role === 'RECEIVED' ? before?.ispb ?? observation.ispb : creator(before, observation), role, status,
      keys: [...(before?.keys ?? []), ...events.map(({ dedupeKey }) => dedupeKey)],
      held, analysedAt: analysedAt === null ? null : isoTime(analysedAt),
      nextDeadline: next === undefined ? null : { stage: next.stage, at: isoTime(next.due) },
      nextNoticeAt: notices.next === undefined ? null : isoTime(notices.next),
      // A read that is needed comes before everything, also before a deadline that the lists could confirm.
      wakeAt: needsRead ? isoTime(Math.min(at, next?.due ?? at) - 1) : earliest([next?.due, heldUntil ?? undefined, nextReread(snapshot, directoryStatus, at)]),
      lastReadAt: observation.stored === undefined ? isoTime(at) : before?.lastReadAt ?? null, snapshot, erased,
    },
  };
}

/** Something that this observation did not read says that the recovery has changed. */
function awaitsRead(before: RecoveryRecord | null, { stored, at }: Observation): boolean {
  if (before === null) return false;
  const { wakeAt, nextDeadline, snapshot: { FundsRecovery, InfractionReports, Refunds } } = before;
  // Another process may have stored newer documents of the lists while this read was under way.
  if (stored === undefined) return [FundsRecovery, ...InfractionReports, ...Refunds].some(({ LastModified }) => toMilliseconds(LastModified) > at.getTime());
  const isDue = wakeAt !== null && toMilliseconds(wakeAt) <= at.getTime() && (nextDeadline === null || toMilliseconds(wakeAt) < toMilliseconds(nextDeadline.at));
  return stored.needsRead || isDue;
}

function roleOf(before: RecoveryRecord | null, { recovery, ispb }: Observation): Role {
  const role = recovery.ReporterParticipant === ispb ? 'SENT' : 'RECEIVED';
  return before === null || before.role === role ? role : 'BOTH';
}

function creator(before: RecoveryRecord | null, { recovery, ispb }: Observation): string {
  return recovery.ReporterParticipant === ispb ? ispb : before?.ispb ?? ispb;
}

function unique(facts: readonly Fact[]): Fact[] {
  return [...new Map(facts.toReversed().map((fact) => [fact.key, fact])).values()].toReversed();
}

/**
 * The earliest time that an event of a status can have: not before the statuses that led to it, nor before the answers that it tells of. The
 * directory's clocks, and the times that its documents keep, may differ by a little. Deadlines count from the time that the directory gave.
 */
function earliestOf({ reaches }: Fact, { InfractionReports: reports, Refunds: refunds }: Snapshot, facts: readonly Fact[]): number {
  if (reaches === null) return 0;
  const before = facts.filter((fact) => fact.reaches !== null && rankOf(fact.reaches) < rankOf(reaches)).map(({ at }) => at);
  const ended = (documents: Snapshot['InfractionReports'] | Snapshot['Refunds'], status: string): number[] =>
    documents.filter(({ Status }) => Status === status).map(({ LastModified }) => toMilliseconds(LastModified));
  const told = reaches === 'ANALYSED' ? ended(reports, 'CLOSED') : reaches === 'COMPLETED' ? ended(refunds, 'CLOSED') : reaches === 'CANCELLED' ? [...ended(reports, 'CANCELLED'), ...ended(refunds, 'CANCELLED')] : [];
  return Math.max(0, ...before, ...told);
}

/** As the feed sorts a batch: by time, then by the place in the lifecycle, then by key. */
function inOrder(facts: readonly Fact[], status: Status): readonly Fact[] {
  const rank = ({ reaches }: Fact): number => rankOf(reaches ?? status);
  return facts.toSorted((one, other) => one.at - other.at || rank(one) - rank(other) || (one.key < other.key ? -1 : 1));
}

/**
 * An event that begins a wait carries the deadline of that wait. An answer carries the one that it has met if that was told as missed before: so
 * the event corrects what the lists of the directory showed too late.
 */
function announcedDeadline({ reaches, deadline, key }: Fact, ahead: readonly Deadline[], wronglyMissed: readonly Deadline[]): Deadline | null {
  if (deadline !== undefined) return deadline;
  const corrected = wronglyMissed.find(({ entityId }) => answerKeys(entityId).includes(key));
  if (corrected !== undefined) return corrected;
  const stage = reaches === 'AWAITING_ANALYSIS' ? 'ANALYSIS' : reaches === 'ANALYSED' ? 'REFUND_START' : null;
  return ahead.find((candidate) => candidate.stage === stage) ?? null;
}

/**
 * The directory takes minutes to build the graph and to open reports, and sends no notification of either, so such a recovery is read again
 * soon: each time after as long as it has been there, a minute at least and an hour at most.
 */
function nextReread({ FundsRecovery: { CreationTime } }: Snapshot, directoryStatus: Status | null, at: number): number | undefined {
  if (directoryStatus !== 'CREATED' && directoryStatus !== 'TRACKED') return undefined;
  return at + Math.min(Math.max(at - toMilliseconds(CreationTime), MINUTE_MILLISECONDS), HOUR_MILLISECONDS);
}

function earliest(times: readonly (number | undefined)[]): string | null {
  const set = times.filter((time) => time !== undefined);
  return set.length === 0 ? null : isoTime(Math.min(...set));
}
