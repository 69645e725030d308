import { LineCounter, isMap, isSeq, parseDocument } from 'yaml';
import type { Node, Pair } from 'yaml';
import type { Change } from './change.ts';
import type { Edit } from './edits.ts';

/** At which line of the revision somebody who reviews a change is told of it. */
export type Locate = (change: Change) => number;

/**
 * The edited line behind a finding: below what the finding names, the edit that speaks of the same things. What was removed
 * is shown where it stood. Where nothing was edited, because the cause lies elsewhere, it is the line of the thing itself.
 */
export function locator(source: string, edits: readonly Edit[] = []): Locate {
  const lines = new LineCounter();
  const document = parseDocument(source, { lineCounter: lines });

  /** The first and the last line of what stands at a path. */
  function extent(path: readonly string[]): readonly [first: number, last: number] | null {
    const parent = document.getIn(path.slice(0, -1));
    const name = path.at(-1);
    const item = isMap(parent) ? parent.items.find(({ key }) => String(key) === name) : isSeq(parent) ? parent.items[Number(name)] : undefined;
    const [key, value] = isPair(item) ? [item.key as Node, item.value as Node | null] : [item as Node | undefined, item as Node | undefined];
    const start = key?.range?.[0];
    return start === undefined ? null : [lines.linePos(start).line, lines.linePos(Math.max(start, (value?.range?.[1] ?? start) - 1)).line];
  }

  return (change) => {
    const { place, pointer, removedFrom } = change;
    const removal = edits.find(({ from, to }) => removedFrom !== undefined && removedFrom >= from && removedFrom <= to);
    if (removal !== undefined) return removal.line;
    for (const path of [...(pointer === undefined ? [] : [segmentsOf(pointer)]), ...candidates(place)]) {
      const found = extent(path);
      if (found === null) continue;
      const [first, last] = found;
      return mostAlike(edits.filter(({ line }) => line >= first && line <= last), change)?.line ?? first;
    }
    return 1;
  };
}

function isPair(item: unknown): item is Pair {
  return typeof item === 'object' && item !== null && 'key' in item;
}

/** `#/paths/~1v1~1things/get` as keys. */
export function segmentsOf(pointer: string): string[] {
  return pointer.split('/').slice(1).map((segment) => segment.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** The edit in which most words of the finding occur; the first of those. */
function mostAlike(edits: readonly Edit[], { rule, place, message }: Change): Edit | undefined {
  const words = new Set(`${rule} ${place.split(', ').slice(1).join(' ')} ${message}`.match(/[A-Za-z][\w]{2,}/g));
  const score = ({ text }: Edit) => [...words].filter((word) => text.includes(word)).length;
  return edits.toSorted((a, b) => score(b) - score(a))[0];
}

/** Where it may be written, the most exact first. */
function candidates(place: string): string[][] {
  const operation = /^(?:webhook )?([A-Z]+) ([^,]+)/.exec(place);
  if (operation !== null) {
    const [, method = '', path = ''] = operation;
    return [['paths', path, method.toLowerCase()], ['webhooks', path, method.toLowerCase()], ['paths', path]];
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
