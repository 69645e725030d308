/**
 * The journal of a tenant's simulated directory: the commands from which its whole state is computed. Used by
 * answering.ts, state.ts and, through the index, by modules that start scenarios.
 */
import type { Transaction } from '../../database/index.ts';
import { fold } from './core/fold.ts';
import type { Command, DisturbNotifications, JournalEntry, Notification } from './core/model.ts';
import {
  actingTenant,
  addFault,
  countCommands,
  deleteCommands,
  deleteFaults,
  insertCommand,
  lockJournal,
  readJournal,
  useFault,
} from './store.ts';

/** Deletes everything that the directory holds of the tenant's sandbox, including commands that are being appended. */
export async function clearJournal(tx: Transaction): Promise<void> {
  const tenantId = actingTenant(tx);
  await lockJournal(tx, tenantId);
  await Promise.all([tx.count(deleteCommands, { tenantId }), tx.count(deleteFaults, { tenantId })]);
}

/** Number of commands that a sandbox accepts until it is reset, because each read may fold all of them. */
const mostCommands = 1000;

/** Returns whether the journal accepts no further command. */
export async function isJournalFull(tx: Transaction): Promise<boolean> {
  const [row] = await tx.run(countCommands, { tenantId: actingTenant(tx) });
  return (row?.count ?? 0) >= mostCommands;
}

/**
 * Appends a command for the directory of the tenant's sandbox. It takes effect once the transaction has committed and
 * `at` has passed.
 */
export async function appendCommand(tx: Transaction, at: Date, command: Command): Promise<void> {
  const tenantId = actingTenant(tx);
  await lockJournal(tx, tenantId);
  await tx.run(insertCommand, { tenantId, at: at.toISOString(), command: JSON.stringify(command) });
}

export interface Journal {
  readonly generation: number;
  /** Seconds that the sandbox clock is ahead of the real one. */
  readonly offset: number;
  readonly entries: readonly JournalEntry[];
  readonly faults: Readonly<Record<string, number>>;
}

/** @param after number of the last command already read; only later ones are returned */
export async function loadJournal(tx: Transaction, after = 0): Promise<Journal> {
  const [row] = await tx.run(readJournal, { tenantId: actingTenant(tx), after });
  if (row === undefined) throw new Error('The tenant has no sandbox feed');
  return {
    generation: row.generation,
    offset: row.offset,
    entries: row.commands,
    faults: row.faults,
  };
}

/** Faults that each affect one answer. */
const answerFaults = [
  'duplicate_page',
  'reversed_page',
  'cursor_invalidated',
  'rate_limited',
  'unavailable',
  'slow',
  'truncated',
  'wrong_signature',
  'unknown_enum',
  'clock_skew',
] as const;
export type AnswerFault = (typeof answerFaults)[number];

/** Faults that each affect one notification. They are part of what has happened, so the journal stores them. */
const notificationFaults = ['late_notification', 'dropped_notification'] as const;
type NotificationFault = (typeof notificationFaults)[number];

export const faults = [...answerFaults, ...notificationFaults] as const;
export type Fault = AnswerFault | NotificationFault;

/** Most faults of a kind that may be armed, because a permanently disturbed sandbox shows nothing. */
const mostArmed = 100;

/**
 * Disturbs the next `count` answers to which the fault applies or, by their time, the next `count` notifications.
 *
 * @param at of the sandbox clock
 * @returns how many faults of the kind are now armed
 */
export async function armFault(tx: Transaction, at: Date, kind: Fault, count: number): Promise<number> {
  if (kind === 'late_notification') return disturbNotifications(tx, at, 'DELAY_NOTIFICATIONS', count);
  if (kind === 'dropped_notification') return disturbNotifications(tx, at, 'DROP_NOTIFICATIONS', count);
  const [armed] = await tx.run(addFault, {
    tenantId: actingTenant(tx),
    kind,
    count: Math.min(count, mostArmed),
    most: mostArmed,
  });
  return armed?.remaining ?? 0;
}

async function disturbNotifications(
  tx: Transaction,
  at: Date,
  type: DisturbNotifications['type'],
  count: number,
): Promise<number> {
  const { entries } = await loadJournal(tx);
  const { notifications } = fold(actingTenant(tx), entries, at.getTime());
  const total = entries.reduce((sum, { command }) => sum + (command.type === type ? command.count : 0), 0);
  const isDisturbed = ({ listedAt, at: sentAt }: Notification): boolean =>
    type === 'DROP_NOTIFICATIONS' ? listedAt === null : listedAt !== null && listedAt > sentAt;
  const done = notifications.filter(isDisturbed).length;
  const more = Math.min(count, mostArmed - (total - done));
  if (more > 0) await appendCommand(tx, at, { type, count: more });
  return total - done + more;
}

/** Uses up one armed fault of the kind. Returns false if none was armed. */
export async function takeFault(tx: Transaction, kind: AnswerFault): Promise<boolean> {
  return (await tx.count(useFault, { tenantId: actingTenant(tx), kind })) > 0;
}
