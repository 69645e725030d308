import type { NewEvent } from '../publish.ts';
import { answerFacts } from './answer-facts.ts';
import { deadlines } from './deadlines.ts';
import type { Deadline, Fact } from './fact.ts';
import { oddities, type Alert } from './alerts.ts';
import { gapFacts } from './gap-facts.ts';
import { holdBack } from './hold.ts';
import type { Limits } from './limits.ts';
import { notificationFact } from './notification-facts.ts';
import { withoutPersonalData, type Observation } from './observation.ts';
import { rawPayload } from './payload.ts';
import type { RecoveryRecord, Role, Snapshot } from './record.ts';
import { mergeSnapshot } from './snapshot.ts';
import { statusFacts } from './status-facts.ts';
import { isTerminal, rankOf, readStatus, statusAfter, type Status } from './status.ts';
import { isoTime, milliseconds } from './time.ts';

export interface Derived {
  readonly record: RecoveryRecord;
  readonly events: readonly NewEvent[];
  readonly alerts: readonly Alert[];
}

/**
 * What an observation adds to a record: the events that were not published yet, and the record after them. Pure: the
 * same record and observation always give the same, and an observation that is repeated adds nothing.
 */
export function derive(before: RecoveryRecord | null, read: Observation, limits: Limits): Derived {
  const erased = before?.erased ?? false;
  const seen = erased ? withoutPersonalData(read) : read;
  const snapshot = mergeSnapshot(before?.snapshot ?? null, seen);
  const { FundsRecovery: recovery } = snapshot;
  const role = roleOf(before, seen);
  const known = new Set(before?.keys ?? []);
  const remembered = before?.analysedAt == null ? null : milliseconds(before.analysedAt);
  const shown = readStatus(recovery.Status);
  const { facts: odd, alerts } = oddities(before, snapshot, shown);
  // Of two with one key the first stays: a notification tells more than the read that shows the same.
  const told = unique([
    ...seen.notifications.map((notification) => notificationFact(seen.ispb, recovery, notification)),
    ...statusFacts(snapshot, role, remembered), ...answerFacts(snapshot), ...odd, ...gapFacts(before, snapshot, seen),
  ]);
  const analysed = told.find(({ reaches }) => reaches === 'ANALYSED');
  const analysedAt = analysed === undefined || known.has(analysed.key) ? remembered : analysed.at;
  const { missed, ahead } = deadlines(snapshot, role, limits, analysedAt, told, seen.at.getTime());
  const fresh = [...told, ...missed].filter(({ key }) => !known.has(key));
  const { due, held, heldUntil } = holdBack(fresh, role, before?.held ?? {}, seen.at.getTime(), limits.nativeHold);

  let status: Status = before?.status ?? 'CREATED';
  const events = inOrder(due, status).map((fact, index): NewEvent => {
    if (fact.reaches !== null) status = statusAfter(status, fact.reaches, shown);
    return {
      fundsRecoveryId: recovery.Id, eventType: fact.eventType, status, occurredAt: isoTime(fact.at), dedupeKey: fact.key,
      rawPayload: erased ? null : rawPayload(fact, seen, { role, revision: known.size + index + 1 }, announcedDeadline(fact, ahead)),
    };
  });
  const over = isTerminal(status);
  const next = over ? undefined : ahead[0];
  return {
    events, alerts,
    record: {
      id: recovery.Id, ispb: role === 'RECEIVED' ? before?.ispb ?? seen.ispb : creator(before, seen), role, status,
      keys: [...(before?.keys ?? []), ...events.map(({ dedupeKey }) => dedupeKey)],
      held, analysedAt: analysedAt === null ? null : isoTime(analysedAt),
      nextDeadline: next === undefined ? null : { stage: next.stage, at: isoTime(next.due) },
      wakeAt: earliest([next?.due, heldUntil ?? undefined, nextLook(snapshot, shown, seen.at.getTime(), limits)]), snapshot, erased,
    },
  };
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

/** As the feed sorts a batch: by time, then by the place in the lifecycle, then by key. */
function inOrder(facts: readonly Fact[], status: Status): readonly Fact[] {
  const rank = ({ reaches }: Fact): number => rankOf(reaches ?? status);
  return facts.toSorted((one, other) => one.at - other.at || rank(one) - rank(other) || (one.key < other.key ? -1 : 1));
}

/** The events that begin a wait tell until when it may last. */
function announcedDeadline({ reaches, deadline }: Fact, ahead: readonly Deadline[]): Deadline | null {
  if (deadline !== undefined) return deadline;
  const stage = reaches === 'AWAITING_ANALYSIS' ? 'ANALYSIS' : reaches === 'ANALYSED' ? 'REFUND_START' : null;
  return ahead.find((candidate) => candidate.stage === stage) ?? null;
}

const minute = 60_000;

/** Nothing announces that the directory has built a graph or opened reports, which takes it minutes: it is asked again soon. */
function nextLook({ FundsRecovery: { CreationTime } }: Snapshot, shown: Status | null, at: number, { tracking }: Limits): number | undefined {
  if (shown !== 'CREATED' && shown !== 'TRACKED') return undefined;
  return at + (at - milliseconds(CreationTime) < tracking ? 1 : 10) * minute;
}

function earliest(times: readonly (number | undefined)[]): string | null {
  const set = times.filter((time) => time !== undefined);
  return set.length === 0 ? null : isoTime(Math.min(...set));
}
