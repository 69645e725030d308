/**
 * Rounds in which contenders take turns, statistics over their turns, and the table that shows them. Used by all
 * measurements.
 */

const interrupted = new AbortController();

/** Ends the run at the next turn on Ctrl-C and SIGTERM, so that everything open is closed in the usual way. */
export function endOnSignals(): AbortSignal {
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => interrupted.abort(new Error(`ended by ${signal}; what was open has been closed`)));
  return interrupted.signal;
}

/** Runs every contender once per round with the same arguments, always in the same order: A B C, A B C, … */
export async function alternate<Name extends string, T, Arguments extends unknown[]>(
  rounds: number,
  contenders: Readonly<Record<Name, (...given: Arguments) => T | Promise<T>>>,
  onRound: (round: number) => void = () => {},
  ...given: Arguments
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

/**
 * Returns the CPU microseconds of this thread per call, because on a shared machine elapsed time also counts other
 * processes. The samples are made beforehand, because a call may change its argument.
 */
export async function cpuPerCall<Sample>(
  calls: number,
  sample: (call: number) => Sample,
  work: (sample: Sample) => unknown,
): Promise<number> {
  const samples = Array.from({ length: calls }, (_, call) => sample(call));
  const begun = process.threadCpuUsage();
  for (const one of samples) {
    const pending = work(one);
    if (pending instanceof Promise) await pending;
  }
  const { user, system } = process.threadCpuUsage(begun);
  return (user + system) / calls;
}

/** Returns the middle value; for an even number of values, the mean of the middle two. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  const at = (index: number): number => sorted[Math.floor(index)] ?? Number.NaN;
  return (at((sorted.length - 1) / 2) + at(sorted.length / 2)) / 2;
}

/** A figure as the report shows it, and the number that is compared with a goal. */
export interface Figure {
  readonly text: string;
  readonly value: number;
}

/** One line of the report: the subject, the figure, and the goal in the form of the design: `≥ 0.90`, `≤ 5 µs`. */
export type Row = readonly [what: string, figure: Figure, goal?: string];

export interface Section {
  readonly title: string;
  readonly rows: readonly Row[];
  /** Every single measurement, for build/bench.json. */
  readonly raw: unknown;
}

export function round(value: number): string {
  if (value >= 100) return value.toFixed(0);
  return value.toFixed(value >= 10 ? 1 : 2);
}

export function amount(value: number, unit: string, text = `${round(value)} ${unit}`): Figure {
  return { value, text };
}

/**
 * Returns the median, least and greatest of the ratios of each round, so that a slowdown of a whole round cancels out.
 */
export function ratio<Turn>(ours: readonly Turn[], theirs: readonly Turn[], of: (turn: Turn) => number): Figure {
  const ratios = ours.map((turn, round) => of(turn) / (theirs[round] === undefined ? Number.NaN : of(theirs[round])));
  const value = median(ratios);
  return { value, text: `${value.toFixed(2)} (${Math.min(...ratios).toFixed(2)}–${Math.max(...ratios).toFixed(2)})` };
}

export function isMet([, { value }, goal]: Row): boolean | null {
  const [sign, limit] = goal?.split(' ') ?? [];
  if (sign === undefined) return null;
  return sign === '≥' ? value >= Number(limit) : value <= Number(limit);
}

/** Returns a section as the report shows it. */
export function render({ title, rows }: Section): string {
  const cells = (row: Row): string[] => [
    row[0],
    row[1].text,
    row[2] ?? '',
    { true: 'met', false: 'NOT MET', null: '' }[`${isMet(row)}`],
  ];
  const widths = [0, 1, 2, 3].map((column) => Math.max(...rows.map((row) => cells(row)[column]?.length ?? 0)));
  const line = (row: Row): string =>
    `  ${cells(row)
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')}`.trimEnd();
  return [title, ...rows.map(line)].join('\n');
}

/** Returns how many of the goals of all sections are met. */
export function goalsMet(sections: readonly Section[]): string {
  const judged = sections
    .flatMap(({ rows }) => rows)
    .map(isMet)
    .filter((met) => met !== null);
  return `${judged.filter(Boolean).length} of ${judged.length} goals met`;
}
