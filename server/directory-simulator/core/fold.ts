import type { Act, JournalEntry, OpenRecovery } from './command.ts';
import { Course } from './course.ts';
import { sandboxIspb } from './ids.ts';
import { act, onStatus } from './lifecycle.ts';
import type { Run, State } from './model.ts';
import { disturb, notificationsOf, type Disturbance } from './notifications.ts';
import type { Instant } from './time.ts';

/** The commands of one run. */
export interface RunJournal {
  readonly open: JournalEntry & { readonly command: OpenRecovery };
  readonly acts: readonly (JournalEntry & { readonly command: Act })[];
}

/**
 * What the directory holds of a tenant at `now`: a function of its journal and nothing else, so whoever folds it, and
 * however often, gets the same. Whatever an earlier fold said to have happened, a later one says, too.
 */
export function fold(tenantId: string, journal: readonly JournalEntry[], now: Instant): State {
  return stateOf(tenantId, journal, now, runJournals(journal).map((run) => foldRun(tenantId, run, now)).filter((run) => run !== null));
}

/** Assembles a state of runs that were folded, some perhaps earlier. */
export function stateOf(tenantId: string, journal: readonly JournalEntry[], now: Instant, runs: readonly Run[]): State {
  const disturbances = inOrder(journal).flatMap(({ at, command }): Disturbance[] =>
    (command.type === 'DROP_NOTIFICATIONS' || command.type === 'DELAY_NOTIFICATIONS' ? [{ ...command, at: Date.parse(at) }] : []));
  const notifications = runs.flatMap(notificationsOf).sort((a, b) => a.at - b.at || (a.id < b.id ? -1 : 1));
  return { tenantId, ispb: sandboxIspb(tenantId), now, runs, notifications: disturb(notifications, disturbances) };
}

/** The runs of a journal. A second recovery of one run, or a command to a run that has not begun, is none. */
export function runJournals(journal: readonly JournalEntry[]): RunJournal[] {
  const runs = new Map<string, { open: RunJournal['open']; acts: (JournalEntry & { command: Act })[] }>();
  for (const { seq, at, command } of inOrder(journal)) {
    if (command.type === 'OPEN_RECOVERY' && !runs.has(command.runId)) runs.set(command.runId, { open: { seq, at, command }, acts: [] });
    if (command.type === 'ACT') runs.get(command.runId)?.acts.push({ seq, at, command });
  }
  return [...runs.values()];
}

/** Null before it has begun. */
export function foldRun(tenantId: string, { open, acts }: RunJournal, now: Instant): Run | null {
  const startedAt = Date.parse(open.at);
  if (startedAt > now) return null;
  const course = new Course(tenantId, open.command, startedAt, onStatus);
  if (open.command.tracking === 'REFUSED') {
    course.refuse('OPEN_RECOVERY', 'FundsRecoveryTrackingTimeout');
    return course.result(startedAt);
  }
  course.begin();
  for (const { at, command } of acts) {
    if (Date.parse(at) > now) break;
    course.advance(Date.parse(at));
    act(course, command.action);
  }
  course.advance(now);
  const planned = acts.find(({ at }) => Date.parse(at) > now);
  const run = course.result(startedAt);
  return planned === undefined ? run : { ...run, nextAt: Math.min(run.nextAt ?? Infinity, Date.parse(planned.at)) };
}

function inOrder(journal: readonly JournalEntry[]): JournalEntry[] {
  return journal.toSorted((a, b) => Date.parse(a.at) - Date.parse(b.at) || a.seq - b.seq);
}
