/** One line of the report. */
export interface Row {
  readonly what: string;
  readonly figure: string;
  /** As it stands in docs, e.g. `≥ 0.90`; null for what is only told. */
  readonly goal: string | null;
  readonly met: boolean | null;
}

export interface Section {
  readonly title: string;
  readonly rows: readonly Row[];
}

export function told(what: string, figure: string): Row {
  return { what, figure, goal: null, met: null };
}

export function atLeast(what: string, value: number, goal: number, figure: string): Row {
  return { what, figure, goal: `≥ ${goal.toFixed(2)}`, met: value >= goal };
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
  const what = wide((row) => row.what);
  const figure = wide((row) => row.figure);
  const goal = wide((row) => row.goal ?? '');
  const line = (row: Row): string =>
    `  ${row.what.padEnd(what)}  ${row.figure.padEnd(figure)}  ${(row.goal ?? '').padEnd(goal)}  ${row.met === null ? '' : row.met ? 'met' : 'NOT MET'}`.trimEnd();
  const lines = sections.flatMap(({ title, rows: own }) => ['', title, ...own.map(line)]);
  const judged = rows.filter((row) => row.met !== null);
  return [...lines, '', `${judged.filter((row) => row.met === true).length} of ${judged.length} goals met`].join('\n');
}
