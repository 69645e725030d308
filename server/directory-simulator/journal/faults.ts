import type { Transaction } from '../../database/index.ts';
import { tenantOf } from './acting-tenant.ts';
import type { DisturbNotifications } from '../core/command.ts';
import { fold } from '../core/fold.ts';
import { appendCommand, loadJournal } from './journal.ts';
import { addFault, useFault } from './statements.ts';

/** Faults of one answer each. */
const answerFaults = [
  'duplicate_page', 'reversed_page', 'cursor_invalidated', 'rate_limited', 'unavailable', 'slow', 'truncated', 'wrong_signature', 'unknown_enum', 'clock_skew',
] as const;
export type AnswerFault = (typeof answerFaults)[number];

/** Faults of one notification each, which is that much of what has happened: the journal remembers them. */
const notificationFaults = ['late_notification', 'dropped_notification'] as const;
export type NotificationFault = (typeof notificationFaults)[number];

export const faults = [...answerFaults, ...notificationFaults] as const;
export type Fault = AnswerFault | NotificationFault;

/** More of a kind than this never wait: a sandbox that is disturbed for ever shows nothing. */
const mostArmed = 100;

/**
 * Disturbs the next `count` answers to which the fault can happen or, by their time, the next `count` notifications.
 *
 * @param at of the sandbox clock
 * @returns how many it waits for now
 */
export async function armFault(tx: Transaction, at: Date, kind: Fault, count: number): Promise<number> {
  switch (kind) {
    case 'late_notification': return disturbNotifications(tx, at, 'DELAY_NOTIFICATIONS', count);
    case 'dropped_notification': return disturbNotifications(tx, at, 'DROP_NOTIFICATIONS', count);
    default: {
      const [armed] = await tx.run(addFault, { tenantId: tenantOf(tx), kind, count: Math.min(count, mostArmed), most: mostArmed });
      return armed?.remaining ?? 0;
    }
  }
}

async function disturbNotifications(tx: Transaction, at: Date, type: DisturbNotifications['type'], count: number): Promise<number> {
  const { entries } = await loadJournal(tx);
  const { notifications } = fold(tenantOf(tx), entries, at.getTime());
  const asked = entries.reduce((sum, { command }) => sum + (command.type === type ? command.count : 0), 0);
  const done = notifications.filter((one) => (type === 'DROP_NOTIFICATIONS' ? one.listedAt === null : one.listedAt !== null && one.listedAt > one.at)).length;
  const more = Math.min(count, mostArmed - (asked - done));
  if (more > 0) await appendCommand(tx, at, { type, count: more });
  return asked - done + more;
}

/** Whether the fault was armed; it then is so once less. */
export async function takeFault(tx: Transaction, kind: AnswerFault): Promise<boolean> {
  return await tx.count(useFault, { tenantId: tenantOf(tx), kind }) > 0;
}
