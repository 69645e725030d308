/**
 * This file computes the state of the simulated directory from the journal of its commands (event sourcing), without
 * any other input, so that every process that reads the journal gets the same state. Used by state.ts and journal.ts.
 * Anything that does not follow from the journal would make processes disagree.
 */
import { onStatus, performAction } from './lifecycle.ts';
import type { Act, DisturbNotifications, Fact, JournalEntry, Notification, OpenRecovery, Run, State } from './model.ts';
import { RecoverySimulation, refusalOf } from './simulation.ts';
import { type Instant, minute, notificationId, sandboxIspb } from './values.ts';

/** How late a delayed notification is listed. */
const notificationDelay = 5 * minute;

const announcedKinds: readonly Fact['kind'][] = ['ANALYSED', 'COMPLETED', 'CANCELLED', 'INFORMATION_UPDATED'];
/** Events of which the directory notifies counterparties. They learn of all others by reading the recovery. */
const forCounterparties: readonly Fact['kind'][] = ['CANCELLED', 'INFORMATION_UPDATED'];

/** The notifications that the directory sends the tenant's participant about one run. */
function notificationsOf(run: Run): Notification[] {
  return run.facts.flatMap((fact, index) => {
    const { at, kind } = fact;
    const announced = run.role === 'SENT' ? announcedKinds : forCounterparties;
    if (run.recovery === null || !announced.includes(kind) || !isNative(kind)) return [];
    const id = notificationId(at, `${run.recovery.id}|${index}`);
    return [
      {
        id,
        runId: run.runId,
        participant: run.own,
        event: kind,
        entityId: run.recovery.id,
        at,
        listedAt: at,
      },
    ];
  });
}

interface NotificationDisturbance extends DisturbNotifications {
  readonly at: Instant;
}

/** Drops or delays notifications. Each disturbance applies to the next ones that no earlier disturbance has changed. */
export function disturb(
  notifications: readonly Notification[],
  disturbances: readonly NotificationDisturbance[],
): Notification[] {
  const disturbed = new Map<Notification, Notification>();
  for (const { type, count, at } of disturbances) {
    const next = notifications
      .filter((notification) => notification.at >= at && !disturbed.has(notification))
      .slice(0, count);
    for (const notification of next) {
      disturbed.set(notification, {
        ...notification,
        listedAt: type === 'DROP_NOTIFICATIONS' ? null : notification.at + notificationDelay,
      });
    }
  }
  return notifications.map((notification) => disturbed.get(notification) ?? notification);
}

function isNative(kind: Fact['kind']): kind is Notification['event'] {
  return announcedKinds.includes(kind);
}

/** The commands of one run. */
export interface RunJournal {
  readonly open: JournalEntry & { readonly command: OpenRecovery };
  readonly acts: readonly (JournalEntry & { readonly command: Act })[];
}

/**
 * Computes the state of the directory for a tenant at `now` from its journal alone, so that the result is always the
 * same. Everything that has happened at one time has also happened at every later time.
 */
export function fold(tenantId: string, journal: readonly JournalEntry[], now: Instant): State {
  return stateOf(
    tenantId,
    journal,
    now,
    runJournals(journal)
      .map((run) => foldRun(tenantId, run, now))
      .filter((run) => run !== null),
  );
}

/** Assembles the state from runs that were folded before, for example from a cache. */
export function stateOf(tenantId: string, journal: readonly JournalEntry[], now: Instant, runs: readonly Run[]): State {
  const disturbances = inOrder(journal).flatMap(({ at, command }): NotificationDisturbance[] =>
    command.type === 'DROP_NOTIFICATIONS' || command.type === 'DELAY_NOTIFICATIONS'
      ? [{ ...command, at: Date.parse(at) }]
      : [],
  );
  const notifications = runs.flatMap(notificationsOf).sort((a, b) => a.at - b.at || (a.id < b.id ? -1 : 1));
  return {
    tenantId,
    ispb: sandboxIspb(tenantId),
    now,
    runs,
    notifications: disturb(notifications, disturbances),
  };
}

/** Groups the journal by run. A second opening of a run, and commands to a run that was never opened, are ignored. */
export function runJournals(journal: readonly JournalEntry[]): RunJournal[] {
  const runs = new Map<string, { open: RunJournal['open']; acts: (JournalEntry & { command: Act })[] }>();
  for (const { seq, at, command } of inOrder(journal)) {
    if (command.type === 'OPEN_RECOVERY' && !runs.has(command.runId))
      runs.set(command.runId, { open: { seq, at, command }, acts: [] });
    if (command.type === 'ACT') runs.get(command.runId)?.acts.push({ seq, at, command });
  }
  return [...runs.values()];
}

/** Computes one run at `now`. Null if it has not started yet. */
export function foldRun(tenantId: string, { open, acts }: RunJournal, now: Instant): Run | null {
  const startedAt = Date.parse(open.at);
  if (startedAt > now) return null;
  const simulation = new RecoverySimulation(tenantId, open.command, startedAt, onStatus);
  const refusal = refusalOf(open.command);
  if (refusal !== null) {
    simulation.recordRefusal('OPEN_RECOVERY', refusal);
    return simulation.result(startedAt);
  }
  simulation.begin();
  for (const { at, command } of acts) {
    if (Date.parse(at) > now) break;
    simulation.advance(Date.parse(at));
    performAction(simulation, command.action);
  }
  simulation.advance(now);
  const planned = acts.find(({ at }) => Date.parse(at) > now);
  const run = simulation.result(startedAt);
  return planned === undefined ? run : { ...run, nextAt: Math.min(run.nextAt ?? Infinity, Date.parse(planned.at)) };
}

function inOrder(journal: readonly JournalEntry[]): JournalEntry[] {
  return journal.toSorted((a, b) => Date.parse(a.at) - Date.parse(b.at) || a.seq - b.seq);
}
