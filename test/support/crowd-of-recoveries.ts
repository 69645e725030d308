/**
 * Many recoveries that begin within a week, and the simulated directory that shows them at a virtual time. Used by the
 * test of ingestion with many recoveries.
 */
import { foldRun, type RunJournal, runJournals, stateOf } from '../../server/simulators/directory/core/fold.ts';
import type { JournalEntry, OpenRecovery, Run, State } from '../../server/simulators/directory/core/model.ts';
import { named } from './courses.ts';

const [minute, hour, day] = [60_000, 3_600_000, 86_400_000];
const begin = Date.parse('2026-11-21T12:00:00.000Z');

/**
 * Builds a journal of recoveries that began within the last week or will begin soon, whose receivers take up to eight
 * days to answer, and a crowd that acts in the same second.
 *
 * @param window milliseconds for which the test follows them
 */
export function journalOf(count: number, window: number, random: () => number): JournalEntry[] {
  const courses = [
    'happy-path',
    'tracking-three-reports',
    'information-updated',
    'analysis-timeout',
    'refund-timeout',
    'refund-start-timeout',
  ].map(named);
  const crowd = Math.min(150, count / 4);
  return Array.from({ length: count }, (_, index): JournalEntry[] => {
    const isStuck = index >= 2 * crowd && index < 2 * crowd + 20;
    const course = isStuck ? named('tracking-stuck') : courses[index % courses.length]!;
    const role = random() < 0.1 && !isStuck && course.roles.includes('RECEIVED') ? 'RECEIVED' : 'SENT';
    const open = course.open({
      runId: `run ${index}`,
      role,
      amount: '812.40',
      pace: 'stepped',
      onTimeout: null,
      situation: 'SCAM',
    });
    const isExpiring = index < crowd;
    const command: OpenRecovery = {
      ...open,
      plan: open.plan.map((one) => ({ ...one, after: Math.floor(random() * 2 * day) })),
      hops: open.hops.map((hop) => ({
        ...hop,
        analysis: isExpiring
          ? { result: 'SILENT', after: 0 }
          : { ...hop.analysis, after: Math.floor(random() * 8 * day) },
        refund: { ...hop.refund, after: Math.floor(random() * 30 * hour) },
      })),
    };
    // The crowd's week ends half an hour after the start of the test; twenty recoveries are never tracked; some of the
    // others begin while the test follows them.
    const beginsAt = (): number => {
      if (isStuck) return begin + 15 * minute;
      return isExpiring ? begin + 30 * minute - 7 * day : begin - 7 * day + random() * (7 * day + window);
    };
    const at = beginsAt();
    const isUpdating = index >= crowd && index < 2 * crowd;
    const opening = { seq: 2 * index + 1, at: new Date(at).toISOString(), command };
    const update = {
      seq: 2 * index + 2,
      at: new Date(Math.max(at, begin + 20 * minute)).toISOString(),
      command: { type: 'ACT', runId: command.runId, action: 'UPDATE_INFORMATION' } as const,
    };
    return isUpdating ? [opening, update] : [opening];
  }).flat();
}

/** The simulated directory at a virtual time. Only runs in which something has happened are computed again. */
export class World {
  now = begin;
  readonly tenantId: string;
  readonly #journal: readonly JournalEntry[];
  readonly #runs: { readonly journal: RunJournal; run: Run | null }[];
  #state: State | null = null;

  constructor(tenantId: string, journal: readonly JournalEntry[]) {
    [this.tenantId, this.#journal] = [tenantId, journal];
    this.#runs = runJournals(journal).map((one) => ({ journal: one, run: foldRun(tenantId, one, begin) }));
  }

  state(): State {
    if (this.#state?.now === this.now) return this.#state;
    let isChanged = this.#state === null;
    for (const one of this.#runs) {
      const isDue =
        one.run === null
          ? Date.parse(one.journal.open.at) <= this.now
          : one.run.nextAt !== null && one.run.nextAt <= this.now;
      if (isDue) one.run = foldRun(this.tenantId, one.journal, this.now);
      isChanged ||= isDue;
    }
    const runs = this.#runs.flatMap(({ run }) => run ?? []);
    this.#state =
      isChanged || this.#state === null
        ? stateOf(this.tenantId, this.#journal, this.now, runs)
        : { ...this.#state, now: this.now };
    return this.#state;
  }
}
