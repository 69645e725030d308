import { type BusinessTime, MINUTE_SECONDS, readBusinessTime, type RealTime } from '../../base/time.ts';
import type { Transaction } from '../../database/index.ts';
import { namedSubject } from '../../rules/subject.ts';
import type { Due, Effect } from '../../tasks/due.ts';
import { assignedTo, auditAssigned } from './assign.ts';
import { aboutCase, auditBySystem } from './audit-cases.ts';
import { dueOf, woken } from './clock.ts';
import { CASES_AT_ONCE, lockDueCases } from './due-store.ts';
import { type CaseRecord, findCase, saveCase } from './store.ts';

interface Moment {
  readonly at: BusinessTime;
  readonly now: RealTime;
}

/**
 * Processes what is due: cases that wake, that are late, whose assignee has left, and whose clock goes on because their
 * subject is not asked for information any more.
 */
export const casesDue: Due = {
  name: 'cases.due',
  everySeconds: MINUTE_SECONDS,
  atOnce: CASES_AT_ONCE,
  run: async (tx, { environment, businessTime: at, now }) => {
    const { wakers, late, abandoned, answered } = await lockDueCases(tx, environment, at);
    const when = { at, now };
    const effects: Effect[] = [];
    for (const record of wakers) effects.push(await wake(tx, record, when));
    for (const record of late) effects.push(await breach(tx, await current(tx, record), when));
    for (const record of abandoned) effects.push(await returnToQueue(tx, await current(tx, record), when));
    for (const record of answered) effects.push(await goOn(tx, await current(tx, record), when));
    return effects;
  },
};

/** Returns a locked case as an earlier step of the same round has left it. */
async function current(tx: Transaction, { id }: CaseRecord): Promise<CaseRecord> {
  return (await findCase(tx, id))!;
}

async function wake(tx: Transaction, record: CaseRecord, { at, now }: Moment): Promise<Effect> {
  const after = await saveCase(tx, record, woken(record), at);
  const { status } = after;
  auditBySystem(tx, after, now)('case.woken', aboutCase(after), { ...namedSubject(after), status });
  return { resource: aboutCase(after), change: `status on_hold to ${status}` };
}

async function breach(tx: Transaction, record: CaseRecord, { at, now }: Moment): Promise<Effect> {
  const after = await saveCase(tx, record, { slaBreached: true }, at);
  const { queue, dueAt } = after;
  auditBySystem(tx, after, now)('case.sla_breached', aboutCase(after), { ...namedSubject(after), queue, dueAt });
  return { resource: aboutCase(after), change: `not resolved by ${dueAt}` };
}

/** Returns a case to its queue. One that waits for a second person, or is on hold, keeps its status. */
async function returnToQueue(tx: Transaction, record: CaseRecord, { at, now }: Moment): Promise<Effect> {
  const change = record.status === 'in_progress' ? assignedTo(null, record) : { assigneeId: null };
  const after = await saveCase(tx, record, change, at);
  auditAssigned(auditBySystem(tx, after, now), after);
  return { resource: aboutCase(after), change: 'returned to its queue' };
}

async function goOn(tx: Transaction, record: CaseRecord, { at }: Moment): Promise<Effect> {
  const after = await resumeClock(tx, record, at);
  return { resource: aboutCase(after), change: `due at ${after.dueAt}` };
}

/** Stops the clock of a case whose subject is asked for information. */
export async function stopClock(tx: Transaction, record: CaseRecord, at: BusinessTime): Promise<void> {
  if (record.clockStoppedAt !== null) return;
  await saveCase(tx, record, { clockStoppedAt: at.toISOString(), dueAt: null }, at);
}

/** Lets the clock of a case go on. The time since it was stopped does not count. */
export async function resumeClock(tx: Transaction, record: CaseRecord, at: BusinessTime): Promise<CaseRecord> {
  if (record.clockStoppedAt === null) return record;
  const waited = Math.max(0, at.getTime() - readBusinessTime(record.clockStoppedAt).getTime());
  const waitedMs = record.waitedMs + waited;
  return saveCase(tx, record, { waitedMs, clockStoppedAt: null, dueAt: dueOf({ ...record, waitedMs }) }, at);
}
