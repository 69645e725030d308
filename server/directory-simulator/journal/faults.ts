import type { Transaction } from '../../database/index.ts';
import { tenantOf } from './acting-tenant.ts';
import { appendCommand } from './journal.ts';
import { addFault, useFault } from './statements.ts';

/** Faults of one answer each. */
export const answerFaults = [
  'duplicate_page', 'reversed_page', 'cursor_invalidated', 'rate_limited', 'unavailable', 'slow', 'truncated', 'wrong_signature', 'unknown_enum', 'clock_skew',
] as const;
export type AnswerFault = (typeof answerFaults)[number];

/** Faults of one notification each, which is that much of what has happened: the journal remembers them. */
export const notificationFaults = ['late_notification', 'dropped_notification'] as const;
export type NotificationFault = (typeof notificationFaults)[number];

export const faults = [...answerFaults, ...notificationFaults] as const;
export type Fault = AnswerFault | NotificationFault;

/**
 * Disturbs the next `count` answers to which the fault can happen or, by their time, the next `count` notifications.
 *
 * @param at of the sandbox clock
 */
export async function armFault(tx: Transaction, at: Date, kind: Fault, count: number): Promise<void> {
  switch (kind) {
    case 'late_notification': return appendCommand(tx, at, { type: 'DELAY_NOTIFICATIONS', count });
    case 'dropped_notification': return appendCommand(tx, at, { type: 'DROP_NOTIFICATIONS', count });
    default: await tx.run(addFault, { tenantId: tenantOf(tx), kind, count });
  }
}

/** Whether the fault was armed; it then is so once less. */
export async function takeFault(tx: Transaction, kind: AnswerFault): Promise<boolean> {
  return await tx.count(useFault, { tenantId: tenantOf(tx), kind }) > 0;
}
