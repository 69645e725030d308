import type { Database } from '../database/index.ts';
import { BoundedMap } from '../http/bounded-map.ts';
import type { JournalEntry } from './core/command.ts';
import { foldRun, runJournals, stateOf, type RunJournal } from './core/fold.ts';
import type { Run, State } from './core/model.ts';
import { loadJournal, type Journal } from './journal/journal.ts';

export interface TenantState {
  readonly state: State;
  readonly generation: number;
  /** Faults that are armed. */
  readonly faults: Journal['faults'];
}

interface Known {
  readonly generation: number;
  readonly entries: readonly JournalEntry[];
  readonly runs: ReadonlyMap<string, { readonly journal: RunJournal; readonly run: Run | null }>;
  readonly state: State;
}

/** A full journal takes megabytes once folded; a small one is folded again before anybody notices. */
const mostKnown = 50;

/**
 * What the directory holds of each tenant, folded from its journal. What was read and folded before is kept as long as it
 * holds: it can be lost, or be that of another process, without any difference.
 */
export class States {
  readonly #database: Database;
  readonly #clock: () => Date;
  readonly #known = new BoundedMap<string, Known>(mostKnown);

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

  /** When, after `now` of the real clock and on it, any run goes on by itself; null when none does. */
  async nextStepAfter(tenantId: string, now: Date): Promise<Date | null> {
    const { state } = await this.of(tenantId, now);
    const steps = state.runs.flatMap(({ nextAt }) => nextAt ?? []);
    return steps.length === 0 ? null : new Date(Math.min(...steps) - state.now + now.getTime());
  }

  async #load(tenantId: string, after: number): Promise<Journal> {
    return this.#database.platform({ tenantId, readOnly: true }, (tx) => loadJournal(tx, after));
  }
}

function advance(tenantId: string, known: Known | undefined, { generation, entries: added }: Journal, now: number): Known {
  if (known !== undefined && added.length === 0 && isStill(known, now)) return { ...known, state: { ...known.state, now } };
  const entries = [...known?.entries ?? [], ...added];
  const journals = added.length === 0 && known !== undefined ? [...known.runs.values()].map(({ journal }) => journal) : runJournals(entries);
  const runs = new Map(journals.map((journal) => {
    const before = known?.runs.get(journal.open.command.runId);
    const holds = before !== undefined && before.run !== null && before.journal.acts.length === journal.acts.length
      && now >= (known?.state.now ?? Infinity) && (before.run.nextAt ?? Infinity) > now;
    return [journal.open.command.runId, { journal, run: holds ? before.run : foldRun(tenantId, journal, now) }];
  }));
  const begun = [...runs.values()].map(({ run }) => run).filter((run) => run !== null);
  return { generation, entries, runs, state: stateOf(tenantId, entries, now, begun) };
}

/** Nothing has happened since: every run has begun, and none goes on before. */
function isStill({ runs, state }: Known, now: number): boolean {
  return now >= state.now && runs.size === state.runs.length && state.runs.every(({ nextAt }) => nextAt === null || nextAt > now);
}
