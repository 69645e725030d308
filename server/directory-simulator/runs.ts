import type { Transaction } from '../database/index.ts';
import type { JournalEntry } from './core/command.ts';
import { fold } from './core/fold.ts';
import { historyOf } from './core/history.ts';
import { uuidOf } from './core/ids.ts';
import type { Run, State } from './core/model.ts';
import { appendCommand, loadJournal } from './journal/journal.ts';
import type { RunOptions, Scenario } from './scenarios/scenario.ts';

/** Begins a scenario at `at` of the sandbox clock; the id of its recovery, or null where the directory will refuse to begin one. */
export async function startRun(tx: Transaction, at: Date, scenario: Scenario, options: RunOptions): Promise<string | null> {
  const command = scenario.open(options);
  await appendCommand(tx, at, command);
  return command.tracking === 'REFUSED' ? null : uuidOf(tx.tenantId ?? '', command.runId, 'recovery');
}

/** What the directory of the sandbox holds at `now` of the sandbox clock. */
export async function stateAt(tx: Transaction, now: Date): Promise<State> {
  const { entries } = await loadJournal(tx);
  return fold(tx.tenantId ?? '', entries, now.getTime());
}

export interface RunAt {
  readonly run: Run;
  /** When the feed next has to carry an event of it, as far as its commands say; null when nothing follows. */
  readonly nextEventAt: Date | null;
}

/** One run at `now` of the sandbox clock; null where there is none. */
export async function runAt(tx: Transaction, runId: string, now: Date): Promise<RunAt | null> {
  const tenantId = tx.tenantId ?? '';
  const commands = (await loadJournal(tx)).entries.filter((entry) => concerns(entry, runId));
  const [run] = fold(tenantId, commands, now.getTime()).runs;
  if (run === undefined) return null;
  const ahead = historyOf(fold(tenantId, commands, endOfTime)).map(({ knownFrom }) => Date.parse(knownFrom)).filter((at) => at > now.getTime());
  return { run, nextEventAt: ahead.length === 0 ? null : new Date(Math.min(...ahead)) };
}

/** Later than any limit of any recovery. */
const endOfTime = Date.parse('9999-01-01T00:00:00.000Z');

function concerns({ command }: JournalEntry, runId: string): boolean {
  return 'runId' in command && command.runId === runId;
}
