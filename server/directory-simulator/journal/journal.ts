import type { Transaction } from '../../database/index.ts';
import type { Command, JournalEntry } from '../core/command.ts';
import { tenantOf } from './acting-tenant.ts';
import { countCommands, insertCommand, lockJournal, readJournal } from './statements.ts';

/** What one sandbox can be told until it is reset: all of it is folded again and again. */
const mostCommands = 1000;

/** Whether it takes no further command. */
export async function isJournalFull(tx: Transaction): Promise<boolean> {
  const [row] = await tx.run(countCommands, { tenantId: tenantOf(tx) });
  return (row?.count ?? 0) >= mostCommands;
}

/** Gives the directory of the tenant's sandbox a command: it is obeyed once the transaction has committed and `at` has come. */
export async function appendCommand(tx: Transaction, at: Date, command: Command): Promise<void> {
  const tenantId = tenantOf(tx);
  await tx.run(lockJournal, { tenantId });
  await tx.run(insertCommand, { tenantId, at: at.toISOString(), command: JSON.stringify(command) });
}

export interface Journal {
  readonly generation: number;
  /** Seconds that the sandbox clock is ahead of the real one. */
  readonly offset: number;
  readonly entries: readonly JournalEntry[];
  readonly faults: Readonly<Record<string, number>>;
}

/** @param after only what follows this number, for whoever has read the rest */
export async function loadJournal(tx: Transaction, after = 0): Promise<Journal> {
  const [row] = await tx.run(readJournal, { tenantId: tenantOf(tx), after });
  if (row === undefined) throw new Error('The tenant has no sandbox feed');
  return { generation: row.generation, offset: row.offset, entries: row.commands, faults: row.faults };
}
