/** Rounds in which contenders take turns, the statistics over their turns, and the table that shows them. */

const interrupted = new AbortController();

/** Ctrl-C and SIGTERM end the run at the next turn, so that everything that is open is closed in the ordinary way. */
export function endOnSignals(): AbortSignal {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => interrupted.abort(new Error(`ended by ${signal}; what was open has been closed`)));
  return interrupted.signal;
}

/** Runs every contender once per round with the same arguments, always in the same order: A B C, A B C, … */
export async function alternate<Name extends string, T, Arguments extends unknown[]>(
  rounds: number, contenders: Readonly<Record<Name, (...given: Arguments) => T | Promise<T>>>, onRound: (round: number) => void = () => {}, ...given: Arguments
): Promise<Record<Name, T[]>> {
  const names = Object.keys(contenders) as Name[];
  const results = Object.fromEntries(names.map((name) => [name, [] as T[]])) as Record<Name, T[]>;
  for (let round = 1; round <= rounds; round++) {
    onRound(round);
    for (const name of names) {
      interrupted.signal.throwIfAborted();
      results[name].push(await contenders[name](...given));
    }
  }
  return results;
}

/** The middle value; of an even number of values, the mean of the middle two. */
export function median(values: readonly number[]): number {
  if (values.length === 0) throw new RangeError('no values, no median');
  const sorted = Float64Array.from(values).sort();
  return (percentile(sorted, 0.5) + (sorted[sorted.length >> 1] as number)) / 2;
}

/** The least value that `share` of all values do not exceed (nearest rank). */
export function percentile(sorted: Float64Array, share: number): number {
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN;
}

export interface Ratio {
  /** The median of the ratios of each round: what slows a whole round down cancels out. */
  readonly median: number;
  /** The median, and the least and the greatest ratio of a round. */
  readonly text: string;
}

export function ratioByRound(ours: readonly number[], theirs: readonly number[]): Ratio {
  const ratios = ours.map((value, round) => value / (theirs[round] ?? Number.NaN));
  const middle = median(ratios);
  return { median: middle, text: `${middle.toFixed(2)} (${Math.min(...ratios).toFixed(2)}–${Math.max(...ratios).toFixed(2)})` };
}

/** One line of the report. */
export interface Row {
  readonly what: string;
  readonly figure: string;
  /** As it stands in docs, e.g. `≥ 0.90`; null for a figure without a goal. */
  readonly goal: string | null;
  readonly met: boolean | null;
}

export interface Section {
  readonly title: string;
  readonly rows: readonly Row[];
  /** Every single measurement, for build/bench.json. */
  readonly raw?: unknown;
}

export function plain(what: string, figure: string): Row {
  return { what, figure, goal: null, met: null };
}

export function atLeast(what: string, ratio: Ratio, goal: number): Row {
  return { what, figure: ratio.text, goal: `≥ ${goal.toFixed(2)}`, met: ratio.median >= goal };
}

export function atMost(what: string, value: number, goal: number, unit: string, figure = `${round(value)} ${unit}`): Row {
  return { what, figure, goal: `≤ ${goal} ${unit}`.trimEnd(), met: value <= goal };
}

export function round(value: number): string {
  return value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(2);
}

export function render(sections: readonly Section[]): string {
  const rows = sections.flatMap((section) => section.rows);
  const wide = (of: (row: Row) => string): number => Math.max(...rows.map((row) => of(row).length));
  const [what, figure, goal] = [wide((row) => row.what), wide((row) => row.figure), wide((row) => row.goal ?? '')];
  const line = (row: Row): string =>
    `  ${row.what.padEnd(what)}  ${row.figure.padEnd(figure)}  ${(row.goal ?? '').padEnd(goal)}  ${row.met === null ? '' : row.met ? 'met' : 'NOT MET'}`.trimEnd();
  const judged = rows.filter((row) => row.met !== null);
  return [...sections.flatMap((section) => ['', section.title, ...section.rows.map(line)]), '', `${judged.filter((row) => row.met).length} of ${judged.length} goals met`].join('\n');
}
