/**
 * Computes the state of a tenant's simulated directory at a time from the journal of its commands, and caches it. Used
 * by answering.ts and the index.
 */
import { BoundedMap } from '../../base/bounded-map.ts';
import type { Database, Transaction } from '../../database/index.ts';
import { fold, foldRun, type RunJournal, runJournals, stateOf } from './core/fold.ts';
import { historyOf } from './core/history.ts';
import type { JournalEntry, Run, State } from './core/model.ts';
import { refusalOf } from './core/simulation.ts';
import { uuidOf } from './core/values.ts';
import { appendCommand, type Journal, loadJournal } from './journal.ts';
import type { RunOptions, Scenario } from './scenarios/scenario.ts';

/**
 * Starts a scenario at `at` of the sandbox clock. Returns the id of its recovery, or null if the directory will refuse
 * it.
 */
export async function startRun(
  tx: Transaction,
  at: Date,
  scenario: Scenario,
  options: RunOptions,
): Promise<string | null> {
  const command = scenario.open(options);
  await appendCommand(tx, at, command);
  return refusalOf(command) !== null ? null : uuidOf(tx.tenantId ?? '', command.runId, 'recovery');
}

/** Returns the state of the sandbox's directory at `now` of the sandbox clock. */
export async function stateAt(tx: Transaction, now: Date): Promise<State> {
  const { entries } = await loadJournal(tx);
  return fold(tx.tenantId ?? '', entries, now.getTime());
}

export interface RunAt {
  readonly run: Run;
  /** Time of the run's next event in the feed, according to its commands; null if none follows. */
  readonly nextEventAt: Date | null;
}

/** Returns one run at `now` of the sandbox clock; null if it does not exist. */
export async function runAt(tx: Transaction, runId: string, now: Date): Promise<RunAt | null> {
  const tenantId = tx.tenantId ?? '';
  const commands = (await loadJournal(tx)).entries.filter((entry) => concerns(entry, runId));
  const [run] = fold(tenantId, commands, now.getTime()).runs;
  if (run === undefined) return null;
  const ahead = historyOf(fold(tenantId, commands, endOfTime))
    .map(({ knownFrom }) => Date.parse(knownFrom))
    .filter((at) => at > now.getTime());
  return { run, nextEventAt: ahead.length === 0 ? null : new Date(Math.min(...ahead)) };
}

/** Later than any limit of any recovery. */
const endOfTime = Date.parse('9999-01-01T00:00:00.000Z');

function concerns({ command }: JournalEntry, runId: string): boolean {
  return 'runId' in command && command.runId === runId;
}

interface TenantState {
  readonly state: State;
  readonly generation: number;
  /** Armed faults. */
  readonly faults: Journal['faults'];
}

interface CachedState {
  readonly generation: number;
  readonly entries: readonly JournalEntry[];
  readonly runs: ReadonlyMap<string, { readonly journal: RunJournal; readonly run: Run | null }>;
  readonly state: State;
}

/** Cache size. A full journal takes megabytes once folded; a small one is folded again quickly. */
const maxCachedTenants = 50;

/**
 * Folds each tenant's journal to the state of its directory and caches the result. The cache can be lost, and differ
 * between processes, without any effect on answers.
 */
export class StateCache {
  readonly #database: Database;
  readonly #clock: () => Date;
  readonly #known = new BoundedMap<string, CachedState>(maxCachedTenants);

  constructor(database: Database, clock: () => Date) {
    this.#database = database;
    this.#clock = clock;
  }

  /** @param at of the real clock */
  async of(tenantId: string, at: Date = this.#clock()): Promise<TenantState> {
    const known = this.#known.get(tenantId);
    const fresh = await this.#load(tenantId, known?.entries.at(-1)?.seq ?? 0);
    if (known !== undefined && known.generation !== fresh.generation) {
      this.#known.delete(tenantId);
      return this.of(tenantId, at);
    }
    const now = at.getTime() + fresh.offset * 1000;
    const next = advance(tenantId, known, fresh, now);
    this.#known.set(tenantId, next);
    return { state: next.state, generation: next.generation, faults: fresh.faults };
  }

  /**
   * Returns the time, on the real clock and after `now`, at which any run next proceeds by itself; null if none does.
   */
  async nextStepAfter(tenantId: string, now: Date): Promise<Date | null> {
    const { state } = await this.of(tenantId, now);
    const steps = state.runs.flatMap(({ nextAt }) => nextAt ?? []);
    return steps.length === 0 ? null : new Date(Math.min(...steps) - state.now + now.getTime());
  }

  async #load(tenantId: string, after: number): Promise<Journal> {
    return this.#database.platform({ tenantId, readOnly: true }, (tx) => loadJournal(tx, after));
  }
}

function advance(
  tenantId: string,
  known: CachedState | undefined,
  { generation, entries: added }: Journal,
  now: number,
): CachedState {
  if (known !== undefined && added.length === 0 && isUnchanged(known, now))
    return { ...known, state: { ...known.state, now } };
  const entries = [...(known?.entries ?? []), ...added];
  const journals =
    added.length === 0 && known !== undefined
      ? [...known.runs.values()].map(({ journal }) => journal)
      : runJournals(entries);
  const runs = new Map(
    journals.map((journal) => {
      const before = known?.runs.get(journal.open.command.runId);
      const holds =
        before !== undefined &&
        before.run !== null &&
        before.journal.acts.length === journal.acts.length &&
        now >= (known?.state.now ?? Infinity) &&
        (before.run.nextAt ?? Infinity) > now;
      return [journal.open.command.runId, { journal, run: holds ? before.run : foldRun(tenantId, journal, now) }];
    }),
  );
  const started = [...runs.values()].map(({ run }) => run).filter((run) => run !== null);
  return {
    generation,
    entries,
    runs,
    state: stateOf(tenantId, entries, now, started),
  };
}

/** Returns whether nothing has happened since: every run has started, and none proceeds before `now`. */
function isUnchanged({ runs, state }: CachedState, now: number): boolean {
  return (
    now >= state.now &&
    runs.size === state.runs.length &&
    state.runs.every(({ nextAt }) => nextAt === null || nextAt > now)
  );
}
