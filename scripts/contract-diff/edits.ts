import { spawnSync } from 'node:child_process';

/** A line of the revision that was edited, or before which something was removed. */
export interface Edit {
  readonly line: number;
  /** What stands there now and what stood there before. */
  readonly text: string;
  /** The lines of the base that are gone; from past to if there are none. */
  readonly from: number;
  readonly to: number;
}

/** The edits that lead from one file to the other, line by line, in the hunks in which a pull request shows them. */
export function editsBetween(base: string, revision: string): Edit[] {
  const { stdout } = spawnSync('git', ['diff', '--no-index', '--no-color', '--no-ext-diff', '--unified=0', '--', base, revision], { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 });
  return stdout.split(/^(?=@@ )/m).slice(1).flatMap(editsOf);
}

function editsOf(hunk: string): Edit[] {
  const [, from, count = '1', start] = /^@@ -(\d+)(?:,(\d+))? \+(\d+)/.exec(hunk) ?? [];
  const [first, last] = [Number(from), Number(from) + Number(count) - 1];
  const removed = hunk.split('\n').filter((line) => line.startsWith('-'));
  const added = hunk.split('\n').filter((line) => line.startsWith('+'));
  if (added.length === 0) return [{ line: Math.max(1, Number(start)), text: removed.join('\n'), from: first, to: last }];
  // As many lines as before: each took the place of one. Otherwise nobody knows which belong together.
  const isPaired = added.length === removed.length;
  return added.map((text, index) => ({
    line: Number(start) + index, text: isPaired ? `${text}\n${removed[index]}` : text, from: isPaired ? first + index : first, to: isPaired ? first + index : last,
  }));
}
