/**
 * Finds the line of a contract at which a change is shown. Used by the command. If it cannot tell exactly, it returns
 * the line of the surrounding node.
 */
import { spawnSync } from 'node:child_process';
import { isMap, isSeq, LineCounter, parseDocument } from 'yaml';
import type { Node, Pair } from 'yaml';
import { segmentsOf } from '../../server/base/json-pointer.ts';
import type { Change } from './change.ts';

/** Returns the line of the revision at which a reviewer is shown a change. */
export type Locate = (change: Change) => number;

/** Returns the entry of a map or of a sequence. */
function itemOf(parent: unknown, name: string | undefined): unknown {
  if (isMap(parent)) return parent.items.find(({ key }) => String(key) === name);
  return isSeq(parent) ? parent.items[Number(name)] : undefined;
}

/**
 * Finds the edited line behind a finding: within the node that the finding names, the edit whose text is most alike. A
 * removal is shown where the removed text was. If the node has no edit, because the cause lies elsewhere, it is the
 * line of the node itself.
 */
export function locator(source: string, edits: readonly Edit[] = []): Locate {
  const lines = new LineCounter();
  const document = parseDocument(source, { lineCounter: lines });

  /** Returns the first and the last line of the node at a path. */
  function extent(path: readonly string[]): readonly [first: number, last: number] | null {
    const parent = document.getIn(path.slice(0, -1));
    const name = path.at(-1);
    const item = itemOf(parent, name);
    const [key, value] = isPair(item)
      ? [item.key as Node, item.value as Node | null]
      : [item as Node | undefined, item as Node | undefined];
    const start = key?.range?.[0];
    return start === undefined
      ? null
      : [lines.linePos(start).line, lines.linePos(Math.max(start, (value?.range?.[1] ?? start) - 1)).line];
  }

  return (change) => {
    const { place, pointer, removedFrom } = change;
    const removal = edits.find(({ from, to }) => removedFrom !== undefined && removedFrom >= from && removedFrom <= to);
    if (removal !== undefined) return removal.line;
    for (const path of [...(pointer === undefined ? [] : [segmentsOf(pointer)]), ...candidates(place)]) {
      const found = extent(path);
      if (found === null) continue;
      const [first, last] = found;
      return (
        mostAlike(
          edits.filter(({ line }) => line >= first && line <= last),
          change,
        )?.line ?? first
      );
    }
    return 1;
  };
}

function isPair(item: unknown): item is Pair {
  return typeof item === 'object' && item !== null && 'key' in item;
}

/** Returns the edit that contains the most words of the finding; the first such edit. */
function mostAlike(edits: readonly Edit[], { rule, place, message }: Change): Edit | undefined {
  const words = new Set(`${rule} ${place.split(', ').slice(1).join(' ')} ${message}`.match(/[A-Za-z][\w]{2,}/g));
  const score = ({ text }: Edit) => [...words].filter((word) => text.includes(word)).length;
  return edits.toSorted((a, b) => score(b) - score(a))[0];
}

/** Returns the paths at which the place may be written, most exact first. */
function candidates(place: string): string[][] {
  const operation = /^(?:webhook )?([A-Z]+) ([^,]+)/.exec(place);
  if (operation !== null) {
    const [, method = '', path = ''] = operation;
    return [
      ['paths', path, method.toLowerCase()],
      ['webhooks', path, method.toLowerCase()],
      ['paths', path],
    ];
  }
  const segments = place.split('/');
  const [name = '', ...members] = place.split(/[./]/);
  return [
    ...segments.map((_, index) => segments.slice(0, segments.length - index)),
    ['components', 'schemas', name, 'properties', members.find((member) => member !== 'properties') ?? ''],
    ['components', 'schemas', name],
    ['components', 'schemas', 'ProblemCode', 'x-problems', name],
    ['components', 'securitySchemes', place.split(' ')[0] ?? ''],
  ];
}

/** A line of the revision that was edited, or before which something was removed. */
interface Edit {
  readonly line: number;
  /** Text of the line before and after the edit. */
  readonly text: string;
  /** Removed lines of the base; `from` is greater than `to` if there are none. */
  readonly from: number;
  readonly to: number;
}

/** Returns the edits that lead from one file to the other, line by line, in the hunks that a pull request shows. */
export function editsBetween(base: string, revision: string): Edit[] {
  const { stdout } = spawnSync(
    'git',
    ['diff', '--no-index', '--no-color', '--no-ext-diff', '--unified=0', '--', base, revision],
    { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 },
  );
  return stdout
    .split(/^(?=@@ )/m)
    .slice(1)
    .flatMap(editsOf);
}

function editsOf(hunk: string): Edit[] {
  const [, from, count = '1', start] = /^@@ -(\d+)(?:,(\d+))? \+(\d+)/.exec(hunk) ?? [];
  const [first, last] = [Number(from), Number(from) + Number(count) - 1];
  const removed = hunk.split('\n').filter((line) => line.startsWith('-'));
  const added = hunk.split('\n').filter((line) => line.startsWith('+'));
  if (added.length === 0)
    return [
      {
        line: Math.max(1, Number(start)),
        text: removed.join('\n'),
        from: first,
        to: last,
      },
    ];
  // If the number of lines is unchanged, each added line replaces one removed line. Otherwise the lines cannot be
  // paired.
  const isPaired = added.length === removed.length;
  return added.map((text, index) => ({
    line: Number(start) + index,
    text: isPaired ? `${text}\n${removed[index]}` : text,
    from: isPaired ? first + index : first,
    to: isPaired ? first + index : last,
  }));
}
